/* A list that each ask makes anew. */
struct node {
    int key;
    long weight;
    struct node *next;
};
