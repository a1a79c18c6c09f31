#include <stdlib.h>

#include "list.h"
#include "work.h"

enum { NODES = 100 };

static struct node *prepend(struct node *list, int key)
{
    struct node *made = calloc(1, sizeof *made);
    made->key = key;
    made->weight = 3 * key;
    made->next = list;
    return made;
}

static long weight(const struct node *list)
{
    long sum = 0;
    for (; list; list = list->next)
        sum += list->weight;
    return sum;
}

long list_work(void)
{
    struct node *list = NULL;
    for (int key = 0; key < NODES; key++)
        list = prepend(list, key);
    long sum = weight(list);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return sum;
}
