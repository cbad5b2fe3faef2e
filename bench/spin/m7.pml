/* SPDX-License-Identifier: GPL-2.0-or-later */
/* magazine cache: 2 CPUs, 2 slots, depot 1, 7 objects */
byte ld[4]; byte pv[4]; byte dep[2]; byte held[7]; byte t;
active proctype Main() {
  do
  :: d_step { ld[0]!=0 && ld[1]==0 -> held[ld[0]-1]=1; ld[0]=0 }
  :: d_step { ld[0]!=0 && ld[1]!=0 -> held[ld[1]-1]=1; ld[1]=0 }
  :: d_step { ld[0]==0 && pv[0]!=0 && pv[1]==0 -> ld[0]=pv[0]; pv[0]=0; ld[1]=pv[1]; pv[1]=0; held[ld[0]-1]=1;
      ld[0]=0 }
  :: d_step { ld[0]==0 && pv[0]!=0 && pv[1]!=0 -> ld[0]=pv[0]; pv[0]=0; ld[1]=pv[1]; pv[1]=0; held[ld[1]-1]=1;
      ld[1]=0 }
  :: d_step { ld[0]==0 && pv[0]==0 && dep[0]!=0 -> ld[0]=dep[0]; dep[0]=0; ld[1]=dep[1]; dep[1]=0;
      held[ld[1]-1]=1; ld[1]=0 }
  :: d_step { ld[0]==0 && pv[0]==0 && dep[0]==0 && held[0]==0 -> held[0]=1 }
  :: d_step { ld[0]==0 && pv[0]==0 && dep[0]==0 && held[0]!=0 && held[1]==0 -> held[1]=1 }
  :: d_step { ld[0]==0 && pv[0]==0 && dep[0]==0 && held[0]!=0 && held[1]!=0 && held[2]==0 -> held[2]=1 }
  :: d_step { ld[0]==0 && pv[0]==0 && dep[0]==0 && held[0]!=0 && held[1]!=0 && held[2]!=0 && held[3]==0 ->
      held[3]=1 }
  :: d_step { ld[0]==0 && pv[0]==0 && dep[0]==0 && held[0]!=0 && held[1]!=0 && held[2]!=0 && held[3]!=0 &&
      held[4]==0 -> held[4]=1 }
  :: d_step { ld[0]==0 && pv[0]==0 && dep[0]==0 && held[0]!=0 && held[1]!=0 && held[2]!=0 && held[3]!=0 &&
      held[4]!=0 && held[5]==0 -> held[5]=1 }
  :: d_step { ld[0]==0 && pv[0]==0 && dep[0]==0 && held[0]!=0 && held[1]!=0 && held[2]!=0 && held[3]!=0 &&
      held[4]!=0 && held[5]!=0 && held[6]==0 -> held[6]=1 }
  :: d_step { held[0]==1 && ld[0]==0 -> held[0]=2; ld[0]=1 }
  :: d_step { held[0]==1 && ld[0]!=0 && ld[1]==0 -> held[0]=2; ld[1]=1 }
  :: d_step { held[0]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]==0 -> held[0]=2; t=ld[0]; ld[0]=pv[0]; pv[0]=t;
      t=ld[1]; ld[1]=pv[1]; pv[1]=t; t=0; ld[0]=1 }
  :: d_step { held[0]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]==0 -> held[0]=2; t=ld[0]; ld[0]=pv[0];
      pv[0]=t; t=ld[1]; ld[1]=pv[1]; pv[1]=t; t=0; ld[1]=1 }
  :: d_step { held[0]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]!=0 && dep[0]==0 -> held[0]=2;
      dep[0]=ld[0]; ld[0]=0; dep[1]=ld[1]; ld[1]=0; ld[0]=1 }
  :: d_step { held[0]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]!=0 && dep[0]!=0 -> held[0]=2;
      held[ld[0]-1]=0; ld[0]=0; held[ld[1]-1]=0; ld[1]=0; ld[0]=1 }
  :: d_step { held[1]==1 && ld[0]==0 -> held[1]=2; ld[0]=2 }
  :: d_step { held[1]==1 && ld[0]!=0 && ld[1]==0 -> held[1]=2; ld[1]=2 }
  :: d_step { held[1]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]==0 -> held[1]=2; t=ld[0]; ld[0]=pv[0]; pv[0]=t;
      t=ld[1]; ld[1]=pv[1]; pv[1]=t; t=0; ld[0]=2 }
  :: d_step { held[1]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]==0 -> held[1]=2; t=ld[0]; ld[0]=pv[0];
      pv[0]=t; t=ld[1]; ld[1]=pv[1]; pv[1]=t; t=0; ld[1]=2 }
  :: d_step { held[1]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]!=0 && dep[0]==0 -> held[1]=2;
      dep[0]=ld[0]; ld[0]=0; dep[1]=ld[1]; ld[1]=0; ld[0]=2 }
  :: d_step { held[1]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]!=0 && dep[0]!=0 -> held[1]=2;
      held[ld[0]-1]=0; ld[0]=0; held[ld[1]-1]=0; ld[1]=0; ld[0]=2 }
  :: d_step { held[2]==1 && ld[0]==0 -> held[2]=2; ld[0]=3 }
  :: d_step { held[2]==1 && ld[0]!=0 && ld[1]==0 -> held[2]=2; ld[1]=3 }
  :: d_step { held[2]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]==0 -> held[2]=2; t=ld[0]; ld[0]=pv[0]; pv[0]=t;
      t=ld[1]; ld[1]=pv[1]; pv[1]=t; t=0; ld[0]=3 }
  :: d_step { held[2]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]==0 -> held[2]=2; t=ld[0]; ld[0]=pv[0];
      pv[0]=t; t=ld[1]; ld[1]=pv[1]; pv[1]=t; t=0; ld[1]=3 }
  :: d_step { held[2]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]!=0 && dep[0]==0 -> held[2]=2;
      dep[0]=ld[0]; ld[0]=0; dep[1]=ld[1]; ld[1]=0; ld[0]=3 }
  :: d_step { held[2]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]!=0 && dep[0]!=0 -> held[2]=2;
      held[ld[0]-1]=0; ld[0]=0; held[ld[1]-1]=0; ld[1]=0; ld[0]=3 }
  :: d_step { held[3]==1 && ld[0]==0 -> held[3]=2; ld[0]=4 }
  :: d_step { held[3]==1 && ld[0]!=0 && ld[1]==0 -> held[3]=2; ld[1]=4 }
  :: d_step { held[3]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]==0 -> held[3]=2; t=ld[0]; ld[0]=pv[0]; pv[0]=t;
      t=ld[1]; ld[1]=pv[1]; pv[1]=t; t=0; ld[0]=4 }
  :: d_step { held[3]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]==0 -> held[3]=2; t=ld[0]; ld[0]=pv[0];
      pv[0]=t; t=ld[1]; ld[1]=pv[1]; pv[1]=t; t=0; ld[1]=4 }
  :: d_step { held[3]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]!=0 && dep[0]==0 -> held[3]=2;
      dep[0]=ld[0]; ld[0]=0; dep[1]=ld[1]; ld[1]=0; ld[0]=4 }
  :: d_step { held[3]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]!=0 && dep[0]!=0 -> held[3]=2;
      held[ld[0]-1]=0; ld[0]=0; held[ld[1]-1]=0; ld[1]=0; ld[0]=4 }
  :: d_step { held[4]==1 && ld[0]==0 -> held[4]=2; ld[0]=5 }
  :: d_step { held[4]==1 && ld[0]!=0 && ld[1]==0 -> held[4]=2; ld[1]=5 }
  :: d_step { held[4]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]==0 -> held[4]=2; t=ld[0]; ld[0]=pv[0]; pv[0]=t;
      t=ld[1]; ld[1]=pv[1]; pv[1]=t; t=0; ld[0]=5 }
  :: d_step { held[4]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]==0 -> held[4]=2; t=ld[0]; ld[0]=pv[0];
      pv[0]=t; t=ld[1]; ld[1]=pv[1]; pv[1]=t; t=0; ld[1]=5 }
  :: d_step { held[4]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]!=0 && dep[0]==0 -> held[4]=2;
      dep[0]=ld[0]; ld[0]=0; dep[1]=ld[1]; ld[1]=0; ld[0]=5 }
  :: d_step { held[4]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]!=0 && dep[0]!=0 -> held[4]=2;
      held[ld[0]-1]=0; ld[0]=0; held[ld[1]-1]=0; ld[1]=0; ld[0]=5 }
  :: d_step { held[5]==1 && ld[0]==0 -> held[5]=2; ld[0]=6 }
  :: d_step { held[5]==1 && ld[0]!=0 && ld[1]==0 -> held[5]=2; ld[1]=6 }
  :: d_step { held[5]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]==0 -> held[5]=2; t=ld[0]; ld[0]=pv[0]; pv[0]=t;
      t=ld[1]; ld[1]=pv[1]; pv[1]=t; t=0; ld[0]=6 }
  :: d_step { held[5]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]==0 -> held[5]=2; t=ld[0]; ld[0]=pv[0];
      pv[0]=t; t=ld[1]; ld[1]=pv[1]; pv[1]=t; t=0; ld[1]=6 }
  :: d_step { held[5]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]!=0 && dep[0]==0 -> held[5]=2;
      dep[0]=ld[0]; ld[0]=0; dep[1]=ld[1]; ld[1]=0; ld[0]=6 }
  :: d_step { held[5]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]!=0 && dep[0]!=0 -> held[5]=2;
      held[ld[0]-1]=0; ld[0]=0; held[ld[1]-1]=0; ld[1]=0; ld[0]=6 }
  :: d_step { held[6]==1 && ld[0]==0 -> held[6]=2; ld[0]=7 }
  :: d_step { held[6]==1 && ld[0]!=0 && ld[1]==0 -> held[6]=2; ld[1]=7 }
  :: d_step { held[6]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]==0 -> held[6]=2; t=ld[0]; ld[0]=pv[0]; pv[0]=t;
      t=ld[1]; ld[1]=pv[1]; pv[1]=t; t=0; ld[0]=7 }
  :: d_step { held[6]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]==0 -> held[6]=2; t=ld[0]; ld[0]=pv[0];
      pv[0]=t; t=ld[1]; ld[1]=pv[1]; pv[1]=t; t=0; ld[1]=7 }
  :: d_step { held[6]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]!=0 && dep[0]==0 -> held[6]=2;
      dep[0]=ld[0]; ld[0]=0; dep[1]=ld[1]; ld[1]=0; ld[0]=7 }
  :: d_step { held[6]==1 && ld[0]!=0 && ld[1]!=0 && pv[0]!=0 && pv[1]!=0 && dep[0]!=0 -> held[6]=2;
      held[ld[0]-1]=0; ld[0]=0; held[ld[1]-1]=0; ld[1]=0; ld[0]=7 }
  :: d_step { ld[2]!=0 && ld[3]==0 -> held[ld[2]-1]=1; ld[2]=0 }
  :: d_step { ld[2]!=0 && ld[3]!=0 -> held[ld[3]-1]=1; ld[3]=0 }
  :: d_step { ld[2]==0 && pv[2]!=0 && pv[3]==0 -> ld[2]=pv[2]; pv[2]=0; ld[3]=pv[3]; pv[3]=0; held[ld[2]-1]=1;
      ld[2]=0 }
  :: d_step { ld[2]==0 && pv[2]!=0 && pv[3]!=0 -> ld[2]=pv[2]; pv[2]=0; ld[3]=pv[3]; pv[3]=0; held[ld[3]-1]=1;
      ld[3]=0 }
  :: d_step { ld[2]==0 && pv[2]==0 && dep[0]!=0 -> ld[2]=dep[0]; dep[0]=0; ld[3]=dep[1]; dep[1]=0;
      held[ld[3]-1]=1; ld[3]=0 }
  :: d_step { ld[2]==0 && pv[2]==0 && dep[0]==0 && held[0]==0 -> held[0]=1 }
  :: d_step { ld[2]==0 && pv[2]==0 && dep[0]==0 && held[0]!=0 && held[1]==0 -> held[1]=1 }
  :: d_step { ld[2]==0 && pv[2]==0 && dep[0]==0 && held[0]!=0 && held[1]!=0 && held[2]==0 -> held[2]=1 }
  :: d_step { ld[2]==0 && pv[2]==0 && dep[0]==0 && held[0]!=0 && held[1]!=0 && held[2]!=0 && held[3]==0 ->
      held[3]=1 }
  :: d_step { ld[2]==0 && pv[2]==0 && dep[0]==0 && held[0]!=0 && held[1]!=0 && held[2]!=0 && held[3]!=0 &&
      held[4]==0 -> held[4]=1 }
  :: d_step { ld[2]==0 && pv[2]==0 && dep[0]==0 && held[0]!=0 && held[1]!=0 && held[2]!=0 && held[3]!=0 &&
      held[4]!=0 && held[5]==0 -> held[5]=1 }
  :: d_step { ld[2]==0 && pv[2]==0 && dep[0]==0 && held[0]!=0 && held[1]!=0 && held[2]!=0 && held[3]!=0 &&
      held[4]!=0 && held[5]!=0 && held[6]==0 -> held[6]=1 }
  :: d_step { held[0]==1 && ld[2]==0 -> held[0]=2; ld[2]=1 }
  :: d_step { held[0]==1 && ld[2]!=0 && ld[3]==0 -> held[0]=2; ld[3]=1 }
  :: d_step { held[0]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]==0 -> held[0]=2; t=ld[2]; ld[2]=pv[2]; pv[2]=t;
      t=ld[3]; ld[3]=pv[3]; pv[3]=t; t=0; ld[2]=1 }
  :: d_step { held[0]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]==0 -> held[0]=2; t=ld[2]; ld[2]=pv[2];
      pv[2]=t; t=ld[3]; ld[3]=pv[3]; pv[3]=t; t=0; ld[3]=1 }
  :: d_step { held[0]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]!=0 && dep[0]==0 -> held[0]=2;
      dep[0]=ld[2]; ld[2]=0; dep[1]=ld[3]; ld[3]=0; ld[2]=1 }
  :: d_step { held[0]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]!=0 && dep[0]!=0 -> held[0]=2;
      held[ld[2]-1]=0; ld[2]=0; held[ld[3]-1]=0; ld[3]=0; ld[2]=1 }
  :: d_step { held[1]==1 && ld[2]==0 -> held[1]=2; ld[2]=2 }
  :: d_step { held[1]==1 && ld[2]!=0 && ld[3]==0 -> held[1]=2; ld[3]=2 }
  :: d_step { held[1]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]==0 -> held[1]=2; t=ld[2]; ld[2]=pv[2]; pv[2]=t;
      t=ld[3]; ld[3]=pv[3]; pv[3]=t; t=0; ld[2]=2 }
  :: d_step { held[1]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]==0 -> held[1]=2; t=ld[2]; ld[2]=pv[2];
      pv[2]=t; t=ld[3]; ld[3]=pv[3]; pv[3]=t; t=0; ld[3]=2 }
  :: d_step { held[1]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]!=0 && dep[0]==0 -> held[1]=2;
      dep[0]=ld[2]; ld[2]=0; dep[1]=ld[3]; ld[3]=0; ld[2]=2 }
  :: d_step { held[1]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]!=0 && dep[0]!=0 -> held[1]=2;
      held[ld[2]-1]=0; ld[2]=0; held[ld[3]-1]=0; ld[3]=0; ld[2]=2 }
  :: d_step { held[2]==1 && ld[2]==0 -> held[2]=2; ld[2]=3 }
  :: d_step { held[2]==1 && ld[2]!=0 && ld[3]==0 -> held[2]=2; ld[3]=3 }
  :: d_step { held[2]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]==0 -> held[2]=2; t=ld[2]; ld[2]=pv[2]; pv[2]=t;
      t=ld[3]; ld[3]=pv[3]; pv[3]=t; t=0; ld[2]=3 }
  :: d_step { held[2]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]==0 -> held[2]=2; t=ld[2]; ld[2]=pv[2];
      pv[2]=t; t=ld[3]; ld[3]=pv[3]; pv[3]=t; t=0; ld[3]=3 }
  :: d_step { held[2]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]!=0 && dep[0]==0 -> held[2]=2;
      dep[0]=ld[2]; ld[2]=0; dep[1]=ld[3]; ld[3]=0; ld[2]=3 }
  :: d_step { held[2]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]!=0 && dep[0]!=0 -> held[2]=2;
      held[ld[2]-1]=0; ld[2]=0; held[ld[3]-1]=0; ld[3]=0; ld[2]=3 }
  :: d_step { held[3]==1 && ld[2]==0 -> held[3]=2; ld[2]=4 }
  :: d_step { held[3]==1 && ld[2]!=0 && ld[3]==0 -> held[3]=2; ld[3]=4 }
  :: d_step { held[3]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]==0 -> held[3]=2; t=ld[2]; ld[2]=pv[2]; pv[2]=t;
      t=ld[3]; ld[3]=pv[3]; pv[3]=t; t=0; ld[2]=4 }
  :: d_step { held[3]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]==0 -> held[3]=2; t=ld[2]; ld[2]=pv[2];
      pv[2]=t; t=ld[3]; ld[3]=pv[3]; pv[3]=t; t=0; ld[3]=4 }
  :: d_step { held[3]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]!=0 && dep[0]==0 -> held[3]=2;
      dep[0]=ld[2]; ld[2]=0; dep[1]=ld[3]; ld[3]=0; ld[2]=4 }
  :: d_step { held[3]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]!=0 && dep[0]!=0 -> held[3]=2;
      held[ld[2]-1]=0; ld[2]=0; held[ld[3]-1]=0; ld[3]=0; ld[2]=4 }
  :: d_step { held[4]==1 && ld[2]==0 -> held[4]=2; ld[2]=5 }
  :: d_step { held[4]==1 && ld[2]!=0 && ld[3]==0 -> held[4]=2; ld[3]=5 }
  :: d_step { held[4]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]==0 -> held[4]=2; t=ld[2]; ld[2]=pv[2]; pv[2]=t;
      t=ld[3]; ld[3]=pv[3]; pv[3]=t; t=0; ld[2]=5 }
  :: d_step { held[4]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]==0 -> held[4]=2; t=ld[2]; ld[2]=pv[2];
      pv[2]=t; t=ld[3]; ld[3]=pv[3]; pv[3]=t; t=0; ld[3]=5 }
  :: d_step { held[4]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]!=0 && dep[0]==0 -> held[4]=2;
      dep[0]=ld[2]; ld[2]=0; dep[1]=ld[3]; ld[3]=0; ld[2]=5 }
  :: d_step { held[4]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]!=0 && dep[0]!=0 -> held[4]=2;
      held[ld[2]-1]=0; ld[2]=0; held[ld[3]-1]=0; ld[3]=0; ld[2]=5 }
  :: d_step { held[5]==1 && ld[2]==0 -> held[5]=2; ld[2]=6 }
  :: d_step { held[5]==1 && ld[2]!=0 && ld[3]==0 -> held[5]=2; ld[3]=6 }
  :: d_step { held[5]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]==0 -> held[5]=2; t=ld[2]; ld[2]=pv[2]; pv[2]=t;
      t=ld[3]; ld[3]=pv[3]; pv[3]=t; t=0; ld[2]=6 }
  :: d_step { held[5]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]==0 -> held[5]=2; t=ld[2]; ld[2]=pv[2];
      pv[2]=t; t=ld[3]; ld[3]=pv[3]; pv[3]=t; t=0; ld[3]=6 }
  :: d_step { held[5]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]!=0 && dep[0]==0 -> held[5]=2;
      dep[0]=ld[2]; ld[2]=0; dep[1]=ld[3]; ld[3]=0; ld[2]=6 }
  :: d_step { held[5]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]!=0 && dep[0]!=0 -> held[5]=2;
      held[ld[2]-1]=0; ld[2]=0; held[ld[3]-1]=0; ld[3]=0; ld[2]=6 }
  :: d_step { held[6]==1 && ld[2]==0 -> held[6]=2; ld[2]=7 }
  :: d_step { held[6]==1 && ld[2]!=0 && ld[3]==0 -> held[6]=2; ld[3]=7 }
  :: d_step { held[6]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]==0 -> held[6]=2; t=ld[2]; ld[2]=pv[2]; pv[2]=t;
      t=ld[3]; ld[3]=pv[3]; pv[3]=t; t=0; ld[2]=7 }
  :: d_step { held[6]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]==0 -> held[6]=2; t=ld[2]; ld[2]=pv[2];
      pv[2]=t; t=ld[3]; ld[3]=pv[3]; pv[3]=t; t=0; ld[3]=7 }
  :: d_step { held[6]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]!=0 && dep[0]==0 -> held[6]=2;
      dep[0]=ld[2]; ld[2]=0; dep[1]=ld[3]; ld[3]=0; ld[2]=7 }
  :: d_step { held[6]==1 && ld[2]!=0 && ld[3]!=0 && pv[2]!=0 && pv[3]!=0 && dep[0]!=0 -> held[6]=2;
      held[ld[2]-1]=0; ld[2]=0; held[ld[3]-1]=0; ld[3]=0; ld[2]=7 }
  od
}
