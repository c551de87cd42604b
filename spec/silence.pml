/* Silence among three seats and more (spec/leaving.md, 10.9 to 10.12) at one place k, for Spin: `make model`.
   A number behind a line is the rule that it stands for.  Sets of seats are sets of bits.

   Beginnings: any seat owes the entry behind; any seats are crooked; any others may die at any moment.  Every signed record may reach any seat at any time, in any order.
   Left out: 10.10.6 (a proven fault ends the match), 10.10.11 (indices), 10.10.12 to 10.10.16 (a program's own
   word is an AWAY or a Gone like any other), a RESIGN that is folded, and a second entry of the owner. */

#ifndef N
#define N 3
#endif
#define B(i)      (1 << (i))
#define EVERY     (B(N) - 1)
#define ACCUSERS  (EVERY & ~B(owner) & ~B(decider))                                             /* 10.9.5 */
#define HONEST(i) (!(crooked & B(i)))
#define SIGNER    (on -> B(next) : 0)

byte owner, decider, next, crooked, dead;
bool late, gone, on;              /* signed: the owner's entry k; the decider's Gone; the entry behind, of next */
byte away, back, held, bare;      /* who has signed: an AWAY; a BACK; a BACK with a release; as its first
                                     statement over a later count one that shows nothing (10.12.3) */
byte shown;                       /* whose BACK is in the release of the entry behind */
byte copy[N];                     /* 0: no entry k; 1: the owner's; 2: the Gone */
byte called[N], backed[N];        /* what has reached it: AWAYs; BACKs, also in releases */
bool first[N], had[N];            /* whether the entry behind has; whether it has held the owner's entry */

#define BLAMED ((away & back & ACCUSERS)                                                         /* 10.12.1 */ \
  | ((on && (away & ACCUSERS & B(next)) && !(shown & ~B(owner) & ~B(next))) -> B(next) : 0)      /* 10.12.2 */ \
  | (away & bare & ACCUSERS)                                                                     /* 10.12.3 */ \
  | ((gone && ((back | held | bare | SIGNER) & B(decider))) -> B(decider) : 0))                  /* 10.12.4 */
#define SURE(i) (backed[i] & ~B(owner) & ~(called[i] & ACCUSERS) & ~B(i))                        /* 10.10.4 */
#define BOUND(i) (copy[i] == 1 && (away & ACCUSERS & B(i)) && !SURE(i) && !first[i])             /* 10.10.5 */
#define KEEPS(i) (HONEST(i) && i != owner && copy[i] == 1 && !BOUND(i))
#define MAY(i) (copy[i] == 1 && i != owner && !BOUND(i) && \
  (!(away & ACCUSERS & B(i)) || (held & B(i)) || first[i]))                                      /* 10.10.9 */

proctype Seat(byte i) {
  byte j;
  end: do
  /* what honest seats sign */
  :: atomic { HONEST(i) && i == owner && !late && copy[i] == 0 -> late = 1; copy[i] = 1 }
  :: atomic { HONEST(i) && (ACCUSERS & B(i)) && copy[i] == 0 && !((away | back) & B(i)) ->
       away = away | B(i); called[i] = called[i] | B(i) }                               /* 10.10.1, 10.10.8 */
  :: atomic { HONEST(i) && i == decider && copy[i] == 0 && !had[i] && called[i] == ACCUSERS ->
       gone = 1; copy[i] = 2 }                                                          /* 10.10.2, 10.10.3 */
  :: atomic { HONEST(i) && copy[i] == 1 && i != owner && !(away & ACCUSERS & B(i)) &&
              (called[i] & ACCUSERS) && !first[i] && !(back & B(i)) ->
       back = back | B(i); backed[i] = backed[i] | B(i) }                                        /* 10.10.7 */
  :: atomic { HONEST(i) && copy[i] == 1 && (away & ACCUSERS & B(i)) && SURE(i) && !(held & B(i)) ->
       held = held | B(i) }                                                                      /* 10.10.9 */
  :: atomic { HONEST(i) && MAY(i) && i == next && !on ->
       on = 1; first[i] = 1; shown = ((away & ACCUSERS & B(i)) -> SURE(i) : 0) }                /* 10.10.10 */
  :: atomic { HONEST(i) && MAY(i) && !((back | held | bare) & B(i)) && !first[i] -> bare = bare | B(i) }
  /* what crooked seats sign: all that has a form; with a Gone the AWAYs of all accusers */
  :: atomic { !HONEST(i) && i == owner && !late -> late = 1 }
  :: atomic { !HONEST(i) && (ACCUSERS & B(i)) && !(away & B(i)) -> away = away | B(i) }
  :: atomic { !HONEST(i) && i == decider && !gone && (away & ACCUSERS) == ACCUSERS -> gone = 1 }
  :: atomic { !HONEST(i) && i != owner && late && !(back & B(i)) -> back = back | B(i) }
  :: atomic { !HONEST(i) && i != owner && late && (back & ~B(i)) && !(held & B(i)) -> held = held | B(i) }
  :: atomic { !HONEST(i) && i != owner && late && !((held | bare) & B(i)) -> bare = bare | B(i) }
  :: atomic { !HONEST(i) && i == next && late && !on -> on = 1; shown = 0 }
  :: atomic { !HONEST(i) && i == next && late && !on && back -> on = 1; shown = back }
  /* what reaches honest seats */
  :: atomic { HONEST(i) && i != owner && copy[i] != 2 && (away & ~called[i]) ->
       do :: (away & ~called[i] & B(j)) -> called[i] = called[i] | B(j); break
          :: j < N - 1 -> j++
          :: else -> break od; j = 0 }
  :: atomic { HONEST(i) && (away & ACCUSERS & B(i)) && copy[i] != 2 && (back & ~backed[i]) ->
       do :: (back & ~backed[i] & B(j)) -> backed[i] = backed[i] | B(j); break
          :: j < N - 1 -> j++
          :: else -> break od; j = 0 }
  :: atomic { HONEST(i) && late && copy[i] == 0 && (!(away & ACCUSERS & B(i)) || SURE(i)) ->
       copy[i] = 1; had[i] = 1 }                                                                 /* 10.10.4 */
  :: atomic { HONEST(i) && late && copy[i] == 0 && (away & ACCUSERS & B(i)) -> copy[i] = 1 }     /* 10.10.5 */
  :: atomic { HONEST(i) && on && !first[i] && late && (copy[i] == 1 || (copy[i] == 0 &&
              (!(away & ACCUSERS & B(i)) || (shown & ~(called[i] & ACCUSERS) & ~B(i))))) ->
       copy[i] = 1; had[i] = 1; first[i] = 1; backed[i] = backed[i] | shown }                    /* 10.10.4 */
  :: atomic { HONEST(i) && gone && copy[i] == 0 -> copy[i] = 2 }
  :: atomic { HONEST(i) && gone && copy[i] == 1 && (i == owner || BOUND(i)) && !first[i] &&
              !((back | held | bare) & ~B(owner) & EVERY) -> copy[i] = 2 }                           /* 8.4 */
  :: dead & B(i) -> break
  od
}

/* Property 1: nobody honest is blamed.  2: what another seat than the owner has signed for is undone by no Gone
   without a culprit.  5: honest copies that differ prove a culprit; the owner's own may wait for the Gone, and
   one that a crash has bound.  7: if nothing is left to do, and nobody proves a fault, honest seats that live
   hold the same record, or owner and decider are both silent, or the decider is crooked.  */
init {
  byte i;
  atomic {
    decider = N - 1;                  /* parts follow from owner and decider alone: so the owner is seat 0, */
    if :: next = 1 :: next = N - 1 fi;             /* and the entry behind is of an accuser, or the decider */
    for (i : 0 .. N - 1) {
      if :: skip :: crooked = crooked | B(i) :: dead = dead | B(i) fi }
    for (i : 0 .. N - 1) { run Seat(i) }
  }
  do
  :: atomic { BLAMED & ~crooked -> assert(false) }
  :: atomic { gone && ((back | held | bare | SIGNER) & ~B(owner)) && !BLAMED -> assert(false) }
  :: atomic { gone && !BLAMED && (KEEPS(0) || KEEPS(1) || KEEPS(2) || KEEPS(N - 1)) -> assert(false) }
  :: timeout -> break
  od;
  if
  :: BLAMED || (dead & B(decider)) || !HONEST(decider) -> skip
  :: else -> for (i : 0 .. N - 1) {
       assert(!HONEST(i) || (dead & B(i)) || copy[i] == copy[decider]) ;
       assert(copy[decider] != 0 || (crooked & ACCUSERS) || (dead & ACCUSERS)) }
  fi
}
