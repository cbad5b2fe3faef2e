/* SPDX-License-Identifier: GPL-2.0-or-later */
/* German-style coherence, 5 clients */
#define OK assert(((cache[0]==2)+(cache[1]==2)+(cache[2]==2)+(cache[3]==2)+(cache[4]==2)) <= 1 && \
      !(((cache[0]==2)+(cache[1]==2)+(cache[2]==2)+(cache[3]==2)+(cache[4]==2)) && \
      ((cache[0]==1)+(cache[1]==1)+(cache[2]==1)+(cache[3]==1)+(cache[4]==1))))
byte cache[5]; byte c1[5]; byte c2[5]; byte c3[5]; byte inv[5]; byte shr[5];
byte cmd; byte ptr; byte ex;
active proctype M() {
  do
  :: d_step { c1[0]==0 && cache[0]==0 -> c1[0]=1 }
  :: d_step { c1[0]==0 && cache[0]!=2 -> c1[0]=2 }
  :: d_step { cmd==0 && c1[0]!=0 -> cmd=c1[0]; ptr=0; c1[0]=0; inv[0] = shr[0]; inv[1] = shr[1]; inv[2] =
      shr[2]; inv[3] = shr[3]; inv[4] = shr[4] }
  :: d_step { c2[0]==0 && inv[0] && (cmd==2 || (cmd==1 && ex)) -> c2[0]=1; inv[0]=0 }
  :: d_step { c2[0]==1 && c3[0]==0 -> c2[0]=0; c3[0]=1; cache[0]=0 }
  :: d_step { c3[0]==1 && cmd!=0 -> c3[0]=0; shr[0]=0; ex=0 }
  :: d_step { c2[0]==2 -> cache[0]=1; c2[0]=0; OK }
  :: d_step { c2[0]==3 -> cache[0]=2; c2[0]=0; OK }
  :: d_step { c1[1]==0 && cache[1]==0 -> c1[1]=1 }
  :: d_step { c1[1]==0 && cache[1]!=2 -> c1[1]=2 }
  :: d_step { cmd==0 && c1[1]!=0 -> cmd=c1[1]; ptr=1; c1[1]=0; inv[0] = shr[0]; inv[1] = shr[1]; inv[2] =
      shr[2]; inv[3] = shr[3]; inv[4] = shr[4] }
  :: d_step { c2[1]==0 && inv[1] && (cmd==2 || (cmd==1 && ex)) -> c2[1]=1; inv[1]=0 }
  :: d_step { c2[1]==1 && c3[1]==0 -> c2[1]=0; c3[1]=1; cache[1]=0 }
  :: d_step { c3[1]==1 && cmd!=0 -> c3[1]=0; shr[1]=0; ex=0 }
  :: d_step { c2[1]==2 -> cache[1]=1; c2[1]=0; OK }
  :: d_step { c2[1]==3 -> cache[1]=2; c2[1]=0; OK }
  :: d_step { c1[2]==0 && cache[2]==0 -> c1[2]=1 }
  :: d_step { c1[2]==0 && cache[2]!=2 -> c1[2]=2 }
  :: d_step { cmd==0 && c1[2]!=0 -> cmd=c1[2]; ptr=2; c1[2]=0; inv[0] = shr[0]; inv[1] = shr[1]; inv[2] =
      shr[2]; inv[3] = shr[3]; inv[4] = shr[4] }
  :: d_step { c2[2]==0 && inv[2] && (cmd==2 || (cmd==1 && ex)) -> c2[2]=1; inv[2]=0 }
  :: d_step { c2[2]==1 && c3[2]==0 -> c2[2]=0; c3[2]=1; cache[2]=0 }
  :: d_step { c3[2]==1 && cmd!=0 -> c3[2]=0; shr[2]=0; ex=0 }
  :: d_step { c2[2]==2 -> cache[2]=1; c2[2]=0; OK }
  :: d_step { c2[2]==3 -> cache[2]=2; c2[2]=0; OK }
  :: d_step { c1[3]==0 && cache[3]==0 -> c1[3]=1 }
  :: d_step { c1[3]==0 && cache[3]!=2 -> c1[3]=2 }
  :: d_step { cmd==0 && c1[3]!=0 -> cmd=c1[3]; ptr=3; c1[3]=0; inv[0] = shr[0]; inv[1] = shr[1]; inv[2] =
      shr[2]; inv[3] = shr[3]; inv[4] = shr[4] }
  :: d_step { c2[3]==0 && inv[3] && (cmd==2 || (cmd==1 && ex)) -> c2[3]=1; inv[3]=0 }
  :: d_step { c2[3]==1 && c3[3]==0 -> c2[3]=0; c3[3]=1; cache[3]=0 }
  :: d_step { c3[3]==1 && cmd!=0 -> c3[3]=0; shr[3]=0; ex=0 }
  :: d_step { c2[3]==2 -> cache[3]=1; c2[3]=0; OK }
  :: d_step { c2[3]==3 -> cache[3]=2; c2[3]=0; OK }
  :: d_step { c1[4]==0 && cache[4]==0 -> c1[4]=1 }
  :: d_step { c1[4]==0 && cache[4]!=2 -> c1[4]=2 }
  :: d_step { cmd==0 && c1[4]!=0 -> cmd=c1[4]; ptr=4; c1[4]=0; inv[0] = shr[0]; inv[1] = shr[1]; inv[2] =
      shr[2]; inv[3] = shr[3]; inv[4] = shr[4] }
  :: d_step { c2[4]==0 && inv[4] && (cmd==2 || (cmd==1 && ex)) -> c2[4]=1; inv[4]=0 }
  :: d_step { c2[4]==1 && c3[4]==0 -> c2[4]=0; c3[4]=1; cache[4]=0 }
  :: d_step { c3[4]==1 && cmd!=0 -> c3[4]=0; shr[4]=0; ex=0 }
  :: d_step { c2[4]==2 -> cache[4]=1; c2[4]=0; OK }
  :: d_step { c2[4]==3 -> cache[4]=2; c2[4]=0; OK }
  :: d_step { cmd==1 && c2[ptr]==0 && !ex -> c2[ptr]=2; shr[ptr]=1; cmd=0; ptr=0 }
  :: d_step { cmd==2 && c2[ptr]==0 && !ex && !shr[0] && !shr[1] && !shr[2] && !shr[3] && !shr[4] -> c2[ptr]=3;
      shr[ptr]=1; ex=1; cmd=0; ptr=0 }
  od
}
