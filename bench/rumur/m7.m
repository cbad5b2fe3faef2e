-- SPDX-License-Identifier: GPL-2.0-or-later
-- magazine cache: 2 CPUs, 2 slots, depot 1, 7 objects
const C: 2; M: 2; D: 1; K: 7;
type cpu: 0..C-1; slot: 0..M-1; dp: 0..D-1; obj: 0..K; ko: 1..K; mag: array[slot] of obj;
var ld: array[cpu] of mag; pv: array[cpu] of mag; dep: array[dp] of mag; held: array[ko] of 0..2;
function cnt(m: mag): 0..M; begin for j: slot do if m[j] = 0 then return j; endif; endfor; return M; end;
function nd(): 0..D; begin for j: dp do if dep[j][0] = 0 then return j; endif; endfor; return D; end;
function treefree(): boolean; begin for k: ko do if held[k] = 0 then return true; endif; endfor; return false;
      end;
procedure pop(c: cpu); var n: 0..M; begin n := cnt(ld[c]); held[ld[c][n-1]] := 1; ld[c][n-1] := 0; end;
startstate begin for c: cpu do for j: slot do ld[c][j] := 0; pv[c][j] := 0; endfor; endfor; for d: dp do for j:
      slot do dep[d][j] := 0; endfor; endfor; for k: ko do held[k] := 0; endfor; endstartstate;
ruleset c: cpu do
  rule "alloc" cnt(ld[c]) > 0 | cnt(pv[c]) > 0 | nd() > 0 | treefree() ==>
    var t: mag; n: 0..D; done: boolean;
    begin
      if cnt(ld[c]) > 0 then pop(c);
      elsif cnt(pv[c]) > 0 then t := pv[c]; pv[c] := ld[c]; ld[c] := t; pop(c);
      else n := nd();
        if n > 0 then ld[c] := dep[n-1]; for j: slot do dep[n-1][j] := 0; endfor; pop(c);
        else done := false; for k: ko do if !done & held[k] = 0 then held[k] := 1; done := true; endif; endfor;
        endif;
      endif;
    endrule;
  ruleset k: ko do
    rule "free" held[k] = 1 ==>
      var t: mag; n: 0..D;
      begin
        held[k] := 2;
        if cnt(ld[c]) < M then ld[c][cnt(ld[c])] := k;
        elsif cnt(pv[c]) < M then t := pv[c]; pv[c] := ld[c]; ld[c] := t; ld[c][cnt(ld[c])] := k;
        else n := nd();
          if n < D then dep[n] := ld[c]; else for j: slot do held[ld[c][j]] := 0; endfor; endif;
          for j: slot do ld[c][j] := 0; endfor; ld[c][0] := k;
        endif;
      endrule;
  endruleset;
endruleset;
invariant "nodup" forall c: cpu do forall j: slot do (ld[c][j] = 0 | held[ld[c][j]] = 2) & (pv[c][j] = 0 |
      held[pv[c][j]] = 2) endforall endforall;
