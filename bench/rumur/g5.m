-- SPDX-License-Identifier: GPL-2.0-or-later
-- German-style coherence, 5 clients
const N: 5;
type pid: 0..4;
var cache: array[pid] of 0..2; c1: array[pid] of 0..2; c2: array[pid] of 0..3; c3: array[pid] of 0..1; inv:
      array[pid] of boolean; shr: array[pid] of boolean;
    cmd: 0..2; ptr: pid; ex: boolean;
startstate begin for i: pid do cache[i] := 0; c1[i] := 0; c2[i] := 0; c3[i] := 0; inv[i] := false; shr[i] :=
      false; endfor; cmd := 0; ptr := 0; ex := false; endstartstate;
ruleset i: pid do
  rule "reqS" c1[i] = 0 & cache[i] = 0 ==> begin c1[i] := 1; endrule;
  rule "reqE" c1[i] = 0 & cache[i] != 2 ==> begin c1[i] := 2; endrule;
  rule "recv" cmd = 0 & c1[i] != 0 ==> begin cmd := c1[i]; ptr := i; c1[i] := 0; for k: pid do inv[k] :=
      shr[k]; endfor; endrule;
  rule "inv" c2[i] = 0 & inv[i] & (cmd = 2 | (cmd = 1 & ex)) ==> begin c2[i] := 1; inv[i] := false; endrule;
  rule "ack" c2[i] = 1 & c3[i] = 0 ==> begin c2[i] := 0; c3[i] := 1; cache[i] := 0; endrule;
  rule "rack" c3[i] = 1 & cmd != 0 ==> begin c3[i] := 0; shr[i] := false; ex := false; endrule;
  rule "gotS" c2[i] = 2 ==> begin cache[i] := 1; c2[i] := 0; endrule;
  rule "gotE" c2[i] = 3 ==> begin cache[i] := 2; c2[i] := 0; endrule;
endruleset;
rule "gntS" cmd = 1 & c2[ptr] = 0 & !ex ==> begin c2[ptr] := 2; shr[ptr] := true; cmd := 0; ptr := 0; endrule;
rule "gntE" cmd = 2 & c2[ptr] = 0 & !ex & forall k: pid do !shr[k] endforall ==> begin c2[ptr] := 3; shr[ptr]
      := true; ex := true; cmd := 0; ptr := 0; endrule;
invariant "coh" forall i: pid do cache[i] != 2 | forall j: pid do i = j | cache[j] = 0 endforall endforall;
