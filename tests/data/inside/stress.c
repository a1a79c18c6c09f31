/* stress THREADS: uses every function of malloc at random and checks contents, alignment, overlaps,
   errors and forks; prints "good". ROUNDS in the environment makes it shorter. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#define N 3000
#define FAIL(...) (fprintf(stderr, __VA_ARGS__), fprintf(stderr, "\n"), _exit(1))
typedef struct {
    unsigned char *p;
    size_t n;
    unsigned char fill;
} slot;
static uint64_t rnd(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s;
}
static size_t size(uint64_t *s)
{
    uint64_t k = rnd(s) % 100;
    if (k < 70) return rnd(s) % 600;
    if (k < 90) return rnd(s) % 20000;
    if (k < 98) return rnd(s) % 200000;
    return rnd(s) % 3000000;
}
static void check(slot *x)
{
    for (size_t i = 0; i < x->n; i++)
        if (x->p[i] != x->fill) FAIL("content at %zu of %zu", i, x->n);
}
static int cmp(const void *a, const void *b)
{
    const slot *x = *(slot *const *)a, *y = *(slot *const *)b;
    return x->p < y->p ? -1 : x->p > y->p;
}
static void overlaps(slot *s)
{
    static __thread slot *o[N];
    int k = 0;
    for (int i = 0; i < N; i++)
        if (s[i].p) o[k++] = &s[i];
    qsort(o, k, sizeof *o, cmp);
    for (int i = 1; i < k; i++)
        if (o[i - 1]->p + malloc_usable_size(o[i - 1]->p) > o[i]->p)
            FAIL("overlap %p+%zu %p", (void *)o[i - 1]->p, malloc_usable_size(o[i - 1]->p),
                 (void *)o[i]->p);
}
static void *work(void *arg)
{
    uint64_t seed = (uint64_t)arg * 0x9E3779B97F4A7C15ull + 1;
    slot *s = calloc(N, sizeof *s);
    int rounds = getenv("ROUNDS") ? atoi(getenv("ROUNDS")) : 60000;
    for (int r = 0; r < rounds; r++) {
        slot *x = &s[rnd(&seed) % N];
        size_t n = size(&seed);
        size_t al = 16;
        unsigned op = rnd(&seed) % 10;
        if (x->p && op < 4) {
            check(x);
            errno = 77;
            free(x->p);
            if (errno != 77) FAIL("errno");
            x->p = 0;
            x->n = 0;
            continue;
        }
        if (x->p && op < 7) {
            check(x);
            size_t keep = n < x->n ? n : x->n;
            unsigned char *q =
                op == 6 ? reallocarray(x->p, n ? n : 1, 1) : realloc(x->p, n ? n : 1);
            if (!q) FAIL("realloc");
            for (size_t i = 0; i < keep; i++)
                if (q[i] != x->fill) FAIL("realloc content");
            x->p = q;
            x->n = n;
        } else {
            if (x->p) {
                check(x);
                free(x->p);
            }
            switch (rnd(&seed) % 7) {
            case 0:
            case 1: x->p = malloc(n); break;
            case 2:
                x->p = calloc(n ? n : 1, 1);
                for (size_t i = 0; i < n; i++)
                    if (x->p[i]) FAIL("calloc dirty");
                break;
            case 3:
                al = 8ull << (rnd(&seed) % 19);
                if (posix_memalign((void **)&x->p, al, n)) FAIL("posix");
                break;
            case 4:
                al = 1ull << (rnd(&seed) % 19);
                x->p = aligned_alloc(al, n);
                break;
            case 5:
                al = 4096;
                x->p = rnd(&seed) % 2 ? valloc(n) : pvalloc(n);
                break;
            case 6:
                al = 1ull << (rnd(&seed) % 14);
                x->p = memalign(al, n);
                break;
            }
            x->n = n;
        }
        if (!x->p) FAIL("null for %zu align %zu", n, al);
        if (al < 16) al = 16;
        if ((uintptr_t)x->p % al) FAIL("align %zu of %zu", al, n);
        if (malloc_usable_size(x->p) < n) FAIL("usable %zu<%zu", malloc_usable_size(x->p), n);
        x->fill = (unsigned char)rnd(&seed);
        memset(x->p, x->fill, n);
        if (rnd(&seed) % 50 == 0) memset(x->p, x->fill, malloc_usable_size(x->p));
        if (r % 5000 == 0) overlaps(s);
        if (r % 2500 == 0) {
            pid_t c = fork();
            if (!c) {
                for (int i = 0; i < 200; i++) {
                    void *p = malloc(size(&seed));
                    memset(p, 1, 1);
                    if (i % 2) free(p);
                }
                for (int i = 0; i < N; i++) check(&s[i]);
                _exit(0);
            }
            int st;
            waitpid(c, &st, 0);
            if (st) FAIL("child %x", st);
        }
    }
    for (int i = 0; i < N; i++) {
        check(&s[i]);
        free(s[i].p);
    }
    free(s);
    return 0;
}
int main(int argc, char **argv)
{
    int t = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t th[16];
    errno = 0;
    volatile size_t huge = SIZE_MAX - 100;
    if (malloc(huge) || errno != ENOMEM) FAIL("huge");
    errno = 0;
    if (calloc(huge, 2) || errno != ENOMEM) FAIL("overflow");
    if (realloc(malloc(3), huge) || errno != ENOMEM) FAIL("huge realloc");
    void *v;
    if (posix_memalign(&v, 3, 1) != EINVAL || posix_memalign(&v, 4, 1) != EINVAL) FAIL("einval");
    if (posix_memalign(&v, 16, huge) != ENOMEM) FAIL("posix huge");
    if (reallocarray(0, huge, 2)) FAIL("ra");
    if (!malloc(0) || !(v = malloc(1))) FAIL("zero");
    if (realloc(v, 0)) FAIL("realloc 0");
    v = aligned_alloc(4 << 20, 10 << 20);
    if ((uintptr_t)v % (4 << 20)) FAIL("4M");
    memset(v, 7, 10 << 20);
    v = realloc(v, 20 << 20);
    if (((char *)v)[(10 << 20) - 1] != 7) FAIL("4M realloc");
    free(v);
    for (int i = 1; i < t; i++) pthread_create(&th[i], 0, work, (void *)(uintptr_t)(i + 1));
    work((void *)1);
    for (int i = 1; i < t; i++) pthread_join(th[i], 0);
    puts("good");
    return 0;
}
