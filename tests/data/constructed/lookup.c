#include "work.h"

static const int keys[] = {3, 14, 15, 92, 65, 35, 89, 79, 32, 38, 46, 26, 43, 83, 27, 95};
static int last_key = -1, last_place;

static int place(int key)
{
    if (key == last_key)
        return last_place;
    int at = 0;
    while (keys[at] != key)
        at++;
    last_key = key;
    last_place = at;
    return at;
}

long lookup_work(void)
{
    long sum = 0;
    for (int time = 0; time < 200; time++)
        sum += place(keys[time / 20 + 6]);
    return sum;
}
