#include <stdio.h>
#include "store.h"

#define LIMIT 10
#define SQUARE(x) \
    ((x) * (x))

typedef struct node {
    struct node *next;
    union {
        int number;
        char letter;
    } value;
} node_t;

enum colour { RED = 1, GREEN, BLUE };

static const int sizes[] = {
    1, 2,
    3,
};

static int compare(const void *a, const void *b)
{
    const int *left = a, *right = (const int *)b;
    return *left - *right;
}

/* Puts a value into a list. */
EXPORT_API int store_put(node_t **list, int number, char letter)
{
    node_t *made = malloc(sizeof(*made));
    if (!made)
        return -1;
#ifdef WITH_LETTERS
    made->value.letter = letter == '{' ? '\'' : letter;
#else
    made->value.number = SQUARE(number);
#endif
    made->next = *list;
    *list = made;
    for (int i = 0, n = 3; i < n; i++) {
        switch (number) {
        case RED:
        case GREEN:
            printf("%d (%c\n", number, letter);
            break;
        default:
            goto done;
        }
    }
    do {
        number--;
    } while (number > LIMIT);
done:
    return number << 2;
}
