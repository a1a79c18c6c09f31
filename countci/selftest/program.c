/* Does STEPS steps of work an ask. The build turns optimisation off, so that the work of an ask
   rises by what STEPS rises, with any compiler. */
#include <stdio.h>
#include <stdlib.h>

#ifndef STEPS
#define STEPS 10000
#endif
#ifndef EDITION
#define EDITION 1
#endif

/* Makes another program of another edition, which does the same work. */
const char edition = EDITION;

int main(int argc, char **argv)
{
    unsigned long state = 1;
    long asks = argc == 2 ? atol(argv[1]) : 0;
    for (long ask = 0; ask < asks; ask++)
        for (int step = 0; step < STEPS; step++)
            state = state * 6364136223846793005UL + 1442695040888963407UL;
    printf("%d\n", state != 0);
    return 0;
}
