/* A forked child starts with its parent's counts in it, so that a tree of them can't be
 * summed. This has callgrind forget them in the child. Outside valgrind it does nothing.
 *
 * Not reached: children of vfork and of a bare clone; they usually exec at once.
 * Build: cc -O2 -fPIC -shared, with valgrind's headers.
 */
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#error "valgrind/callgrind.h is missing"
#endif
#include <pthread.h>

static void forget(void) {
    VALGRIND_PRINTF("countci: counted apart\n"); /* valgrind's log says so of each child */
    CALLGRIND_ZERO_STATS;
}

__attribute__((constructor)) static void begin(void) { pthread_atfork(NULL, NULL, forget); }
