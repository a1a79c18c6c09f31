/* What an ask of each kind does. */
long list_work(void);
long hash_work(void);
long lookup_work(void);
long print_work(void);
long levels_work(int level);
long steps_work(void);
long words_work(void);
long buffers_work(void);
long scan_work(void);
long windows_work(void);
