/* SPDX-License-Identifier: GPL-2.0-or-later */
/* filter lock, 6 processes */
byte level[6]; byte last[6]; byte crit;
proctype P(byte i) { byte l;
S0: l = 1;
S1: level[i] = l;
S2: last[l] = i;
S3: if
    :: d_step { (last[l] != i || ((i==0 || level[0] < l) && (i==1 || level[1] < l) && (i==2 || level[2] < l) &&
      (i==3 || level[3] < l) && (i==4 || level[4] < l) && (i==5 || level[5] < l))) && l < 5 -> l = l + 1 } ->
      goto S1
    :: d_step { (last[l] != i || ((i==0 || level[0] < l) && (i==1 || level[1] < l) && (i==2 || level[2] < l) &&
      (i==3 || level[3] < l) && (i==4 || level[4] < l) && (i==5 || level[5] < l))) && l == 5 -> crit++;
      assert(crit == 1) }
    fi;
S4: d_step { crit--; level[i] = 0; l = 0 }; goto S0
}
init { atomic { run P(0); run P(1); run P(2); run P(3); run P(4); run P(5); } }
