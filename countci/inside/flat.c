/* An allocator whose cost depends on the size asked for, and on nothing else.
 *
 * With the usual ones the price of an allocation depends on where in a pool or an arena it
 * falls, so that an unrelated edit moves every count by up to 3 %. Here each size class has
 * one list of free blocks, last in, first out; blocks are never split, joined or moved
 * between classes. What is larger than LARGE is mapped on its own, moved by mremap and given
 * back when it is freed.
 *
 * A block's class is found at the start of its region: regions are 64 KiB apart, and every
 * block begins within the first 64 KiB of one. Blocks of one region have one class.
 *
 * It is a model, slower than the real ones where threads compete, and meant for counting
 * under valgrind. Build: cc -O2 -fPIC -shared -fno-builtin (without the last, a compiler
 * turns malloc and memset of calloc back into calloc).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define REGION ((size_t)65536)
#define HEAD ((size_t)64) /* a cache line; blocks keep its alignment */
#define STEP ((size_t)16)  /* up to TINY, classes are this far apart, then HEAD up to SMALL: */
#define TINY ((size_t)128) /* the cost of copying and clearing more depends on alignment */
#define SMALL ((size_t)4096)
#define SHARED ((size_t)16384) /* larger blocks have a region of their own */
#define LARGE ((size_t)131072) /* glibc, too, maps what is larger */
#define CLASSES 91             /* 9 tiny ones, 62 small ones, 20 up to LARGE: four a doubling */
#define ALIGNMENTS 7           /* up to HEAD, then 128 ... SMALL: each its own set of lists */
#define MAPPED ((size_t)-1)
/* Kept out of the common path, which would have to save registers for them: an allocation is
 * meant to be priced as CPython's own allocator prices it. */
#define RARE __attribute__((noinline, cold))

typedef struct block {
    struct block *next;
} block;

typedef struct {
    size_t list; /* which list its blocks belong to; MAPPED: one block, its own mapping */
    size_t size; /* usable bytes of each block */
    char *start; /* of the mapping */
    size_t length;
} head;

typedef struct {
    block *free;
    char *next, *end; /* what is left of the newest region */
} list;

/* The proof that it is in use: looked up by countci's runner. */
EXPORT const int countci_flat = 1;

static list lists[ALIGNMENTS * CLASSES];
static char *top, *limit; /* reserved, not yet made into regions */
static char held;
static pid_t home;

static inline size_t up(size_t n, size_t to) { return (n + to - 1) & ~(to - 1); }

static inline size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static inline head *head_of(void *p) {
    /* -1: a block that is aligned to REGION lies at the end of its head's region */
    return (head *)(((uintptr_t)p - 1) & ~(REGION - 1));
}

/* Forget regions that a thread may have been dividing when this process was forked. */
static void abandon(void) {
    for (size_t i = 0; i < ALIGNMENTS * CLASSES; i++) lists[i].next = lists[i].end = NULL;
    top = limit = NULL;
}

RARE static void wait_for_lock(void) {
    do {
        /* The process was forked while a thread that doesn't exist here held the lock, and
         * another library's handler allocates before `forked` has run. */
        if (getpid() != home) {
            home = getpid();
            abandon();
            return;
        }
        sched_yield();
    } while (__atomic_test_and_set(&held, __ATOMIC_ACQUIRE));
}

static inline void lock(void) {
    if (__builtin_expect(__atomic_test_and_set(&held, __ATOMIC_ACQUIRE), 0)) wait_for_lock();
}

static inline void unlock(void) { __atomic_clear(&held, __ATOMIC_RELEASE); }

static void forked(void) {
    home = getpid();
    if (held) abandon();
    unlock();
}

__attribute__((constructor)) static void begin(void) {
    home = getpid();
    pthread_atfork(NULL, NULL, forked);
}

/* Return the class of n bytes, n <= LARGE, and the size of its blocks. */
static inline unsigned class_of(size_t n, size_t *size) {
    if (__builtin_expect(n <= TINY, 1)) {
        unsigned class = (unsigned)((n + !n + STEP - 1) / STEP);
        *size = class * STEP;
        return class;
    }
    if (n <= SMALL) {
        *size = up(n, HEAD);
        return (unsigned)(9 + (*size - TINY) / HEAD - 1);
    }
    unsigned power = 63 - (unsigned)__builtin_clzl(n - 1); /* 2^power <= n - 1 */
    size_t below = (size_t)1 << power, step = below / 4;
    unsigned quarter = (unsigned)((n - 1 - below) / step);
    *size = below + (quarter + 1) * step;
    return 71 + (power - 12) * 4 + quarter;
}

static char *mapped(size_t length) {
    char *p = mmap(NULL, length, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Return a mapping that begins at a multiple of `align`, a power of two, at least REGION. */
static char *mapped_at(size_t length, size_t align) {
    /* Twice as much as is needed, so that there is always something to cut off at both ends. */
    char *p = mapped(length + 2 * align);
    if (!p) return NULL;
    char *start = (char *)up((uintptr_t)p + 1, align), *end = p + length + 2 * align;
    munmap(p, (size_t)(start - p));
    munmap(start + length, (size_t)(end - start - length));
    return start;
}

/* Return `length` bytes, a multiple of REGION, aligned to REGION; the lock is held. */
static char *region(size_t length) {
    if ((size_t)(limit - top) < length) {
        /* Address space costs nothing, unless somebody limits it. */
        size_t ask = (size_t)4 << 30;
        char *start;
        while (!(start = mapped_at(ask, REGION)) && ask > length + (1 << 20)) ask /= 2;
        if (!start) return NULL;
        top = start;
        limit = start + ask;
    }
    char *start = top;
    top += length;
    return start;
}

/* Return a block that was never used, and give the lock back. */
RARE static void *fresh(size_t at, size_t size, size_t first) {
    list *l = &lists[at];
    void *p = NULL;
    if ((size_t)(l->end - l->next) < size) {
        size_t length = size <= SHARED ? REGION : up(first + size, REGION);
        char *start = region(length);
        if (!start) goto end;
        head *h = (head *)start;
        h->list = at;
        h->size = size;
        l->next = start + first;
        l->end = size <= SHARED ? start + REGION : l->next + size;
    }
    p = l->next;
    l->next += size;
end:
    unlock();
    if (!p) errno = ENOMEM;
    return p;
}

static inline void *take(size_t at, size_t size, size_t first) {
    lock();
    block *p = lists[at].free;
    if (__builtin_expect(!p, 0)) return fresh(at, size, first);
    lists[at].free = p->next;
    unlock();
    return p;
}

/* Return a block of its own mapping, which is clear. */
RARE static void *map_block(size_t n, size_t align) {
    if (n > PTRDIFF_MAX - 4 * align - 4 * REGION) {
        errno = ENOMEM;
        return NULL;
    }
    /* Up to REGION the block lies `align` behind its head, above it the head a REGION before. */
    size_t first = align > REGION ? align : larger(HEAD, align);
    size_t length = up(first + n, REGION);
    char *start = mapped_at(length, larger(align, REGION));
    if (!start) {
        errno = ENOMEM;
        return NULL;
    }
    head *h = head_of(start + first);
    *h = (head){MAPPED, (size_t)(start + length - (start + first)), start, length};
    return start + first;
}

RARE static void unmap_block(head *h) {
    int before = errno;
    munmap(h->start, h->length);
    errno = before;
}

EXPORT void *malloc(size_t n) {
    size_t size;
    if (__builtin_expect(n > LARGE, 0)) return map_block(n, STEP);
    unsigned class = class_of(n, &size);
    return take(class, size, HEAD);
}

EXPORT void free(void *p) {
    if (!p) return;
    head *h = head_of(p);
    if (__builtin_expect(h->list == MAPPED, 0)) {
        unmap_block(h);
        return;
    }
    lock();
    list *l = &lists[h->list];
    ((block *)p)->next = l->free;
    l->free = p;
    unlock();
}

EXPORT void *calloc(size_t count, size_t each) {
    size_t n;
    if (__builtin_mul_overflow(count, each, &n)) {
        errno = ENOMEM;
        return NULL;
    }
    void *p = malloc(n);
    /* Always, though a fresh block is clear: the cost must not depend on its past. */
    if (p && n <= LARGE) memset(p, 0, n);
    return p;
}

/* Return the block moved to a mapping of the right length, or NULL; its pages aren't copied. */
static void *remap_block(head *h, size_t n) {
    size_t length = up(HEAD + n, REGION);
    if (n > PTRDIFF_MAX - 4 * REGION) return NULL;
    char *start = mapped_at(length, REGION);
    if (!start) return NULL;
    char *moved = mremap(h->start, h->length, length, MREMAP_MAYMOVE | MREMAP_FIXED, start);
    if (moved == MAP_FAILED) {
        munmap(start, length);
        return NULL;
    }
    *(head *)moved = (head){MAPPED, length - HEAD, moved, length};
    return moved + HEAD;
}

static int fits(head *h, size_t n) {
    size_t size;
    if (h->list == MAPPED) return n > LARGE && n <= h->size && n > h->size - REGION;
    if (h->list >= CLASSES) return n <= h->size && n > h->size / 2;
    return n <= LARGE && class_of(n, &size) == h->list;
}

EXPORT void *realloc(void *p, size_t n) {
    if (!p) return malloc(n);
    if (!n) {
        free(p);
        return NULL;
    }
    head *h = head_of(p);
    if (fits(h, n)) return p;
    if (h->list == MAPPED && n > LARGE && (char *)p == h->start + HEAD) {
        void *moved = remap_block(h, n);
        if (moved) return moved;
    }
    void *q = malloc(n);
    if (!q) return NULL;
    memcpy(q, p, h->size < n ? h->size : n);
    free(p);
    return q;
}

EXPORT void *reallocarray(void *p, size_t count, size_t each) {
    size_t n;
    if (__builtin_mul_overflow(count, each, &n)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(p, n);
}

/* Return n bytes aligned to `align`, a power of two; errno is set when there are none. */
static void *aligned(size_t align, size_t n) {
    if (align <= STEP) return malloc(n);
    if (align > SMALL || n > LARGE - align) return map_block(n, align);
    size_t size;
    unsigned class = class_of(up(larger(n, 1), align), &size);
    if (align <= HEAD) return take(class, size, HEAD);
    size = up(size, align);
    unsigned set = (unsigned)__builtin_ctzl(align / HEAD);
    return take(set * CLASSES + class, size, align);
}

static int power_of_two(size_t n) { return n && !(n & (n - 1)); }

EXPORT void *memalign(size_t align, size_t n) {
    if (align > (size_t)1 << 40) {
        errno = EINVAL;
        return NULL;
    }
    size_t power = STEP; /* as glibc does: the next power of two */
    while (power < align) power *= 2;
    return aligned(power, n);
}

EXPORT void *aligned_alloc(size_t align, size_t n) {
    if (!power_of_two(align)) {
        errno = EINVAL;
        return NULL;
    }
    return memalign(align, n);
}

EXPORT int posix_memalign(void **result, size_t align, size_t n) {
    if (!power_of_two(align) || align % sizeof(void *)) return EINVAL;
    int before = errno;
    void *p = memalign(align, n);
    errno = before;
    if (!p) return ENOMEM;
    *result = p;
    return 0;
}

EXPORT void *valloc(size_t n) { return memalign((size_t)getpagesize(), n); }

EXPORT void *pvalloc(size_t n) {
    size_t page = (size_t)getpagesize();
    if (n > PTRDIFF_MAX) {
        errno = ENOMEM;
        return NULL;
    }
    return memalign(page, up(larger(n, 1), page));
}

EXPORT size_t malloc_usable_size(void *p) { return p ? head_of(p)->size : 0; }
