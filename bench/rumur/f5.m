-- SPDX-License-Identifier: GPL-2.0-or-later
-- filter lock, 5 processes
const N: 5;
type pid: 0..4; lvl: 0..N-1;
var pc: array[pid] of 0..4; l: array[pid] of lvl; level: array[pid] of lvl; last: array[1..N-1] of pid;
startstate begin for i: pid do pc[i] := 0; l[i] := 0; level[i] := 0; endfor; for x: 1..N-1 do last[x] := 0;
      endfor; endstartstate;
ruleset i: pid do
  rule "start" pc[i] = 0 ==> begin pc[i] := 1; l[i] := 1; endrule;
  rule "setlevel" pc[i] = 1 ==> begin level[i] := l[i]; pc[i] := 2; endrule;
  rule "setlast" pc[i] = 2 ==> begin last[l[i]] := i; pc[i] := 3; endrule;
  rule "wait" pc[i] = 3 & (last[l[i]] != i | forall k: pid do k = i | level[k] < l[i] endforall) ==>
    begin if l[i] = N-1 then pc[i] := 4; else l[i] := l[i] + 1; pc[i] := 1; endif; endrule;
  rule "exit" pc[i] = 4 ==> begin level[i] := 0; l[i] := 0; pc[i] := 0; endrule;
endruleset;
invariant "mutex" forall i: pid do forall j: pid do i = j | pc[i] != 4 | pc[j] != 4 endforall endforall;
