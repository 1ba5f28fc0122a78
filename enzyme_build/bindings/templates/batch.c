/* Batches: the compiled function for many items in one call, by as many threads as the caller wants. */

#include <pthread.h>
#include <unistd.h>

/* Where the first item of an argument is, and how far the next one; a step of 0 is the same item for all. */
typedef struct {
    char *data;
    Py_ssize_t step;
} Lane;

typedef void Loop(const Lane *lanes, Py_ssize_t begin, Py_ssize_t end);

typedef struct {
    Loop *loop;
    const Lane *lanes;
    Py_ssize_t begin, end;
} Share;

enum { MOST_AXES = 32, MOST_THREADS = 256 };

static void *
run_share(void *given)
{
    const Share *share = given;
    share->loop(share->lanes, share->begin, share->end);
    return NULL;
}

/* Runs without the interpreter's lock. What no thread could be made for is done here. */
static void
run_batch(Loop *loop, const Lane *lanes, Py_ssize_t count, long long threads)
{
    if (threads == 0) {
        threads = sysconf(_SC_NPROCESSORS_ONLN);
    }
    threads = threads > MOST_THREADS ? MOST_THREADS : threads;
    threads = threads > count ? (long long)count : threads;
    if (threads <= 1) {
        loop(lanes, 0, count);
        return;
    }
    Share shares[MOST_THREADS];
    pthread_t others[MOST_THREADS];
    bool runs[MOST_THREADS] = {false};
    for (long long index = threads - 1; index >= 0; index--) {
        shares[index] = (Share){loop, lanes, (Py_ssize_t)(count / threads * index + (index < count % threads ? index : count % threads)), 0};
        shares[index].end = index == threads - 1 ? count : shares[index + 1].begin;
        runs[index] = index > 0 && pthread_create(&others[index], NULL, run_share, &shares[index]) == 0;
    }
    for (long long index = 0; index < threads; index++) {
        if (!runs[index]) {
            run_share(&shares[index]);
        }
    }
    for (long long index = 1; index < threads; index++) {
        if (runs[index]) {
            pthread_join(others[index], NULL);
        }
    }
}

static Py_ssize_t
item_bytes(const Array *item)
{
    return (Py_ssize_t)array_bytes(item);
}

/* The length of the batch, which the first argument with a leading axis gives. */
static int
count_items(const char *function, const char *name, Py_ssize_t length, Py_ssize_t *count)
{
    if (*count >= 0 && *count != length) {
        PyErr_Format(PyExc_ValueError, "%s(): the leading axis of '%s' has %zd items, others have %zd", function, name, length,
                     *count);
        return -1;
    }
    *count = length;
    return 0;
}

/* Has an item its axes in another order than the items lie in? */
static bool
is_fortran(const Spec *spec)
{
    return (spec->flags & F_CONTIGUOUS) != 0;
}

/* Items in Fortran's order, one behind the other: no array of NumPy's is contiguous like that as a whole. */
static int
check_items(const char *function, const Spec *spec, const Array *items)
{
    Py_ssize_t expected = spec->itemsize;
    bool lies = true;
    for (int axis = 1; axis <= spec->ndim; axis++) {
        lies = lies && (items->shape[axis] <= 1 || items->strides[axis] == expected);
        expected *= items->shape[axis];
    }
    if (expected == 0 || (lies && (items->shape[0] <= 1 || items->strides[0] == expected))) {
        return 0;
    }
    PyErr_Format(PyExc_ValueError,
                 "%s(): the items of argument '%s' must be contiguous in Fortran order, one behind the other; "
                 "numpy.moveaxis(numpy.asfortranarray(numpy.moveaxis(a, 0, -1)), -1, 0) makes a copy where they are",
                 function, spec->name);
    return -1;
}

/* An array for all items, or with a leading axis one for each; `item` is the first one. */
static int
take_items(const State *state, const char *function, const Spec *spec, PyObject *object, Py_ssize_t *count, Array *item, Lane *lane)
{
    Spec wanted = *spec;
    bool many = PyObject_TypeCheck(object, (PyTypeObject *)state->api[API_ARRAY_TYPE]) &&
                ((const ArrayObject *)object)->ndim == spec->ndim + 1;
    wanted.ndim += many;
    if (many && is_fortran(spec)) {
        wanted.flags &= ~F_CONTIGUOUS;
    }
    if (take_array(state, function, &wanted, object, item) < 0) {
        return -1;
    }
    if (many && is_fortran(spec) && check_items(function, spec, item) < 0) {
        return -1;
    }
    if (many && count_items(function, spec->name, item->shape[0], count) < 0) {
        return -1;
    }
    item->spec = spec;
    item->shape += many;
    item->strides += many;
    *lane = (Lane){item->data, many ? item_bytes(item) : 0};
    return 0;
}

/* Does an argument that is a number have an array of them? */
static bool
is_array_of_numbers(const State *state, PyObject *object)
{
    return PyObject_TypeCheck(object, (PyTypeObject *)state->api[API_ARRAY_TYPE]) && ((const ArrayObject *)object)->ndim > 0;
}

static PyObject *
new_items(const State *state, const Spec *spec, Py_ssize_t count, const Py_ssize_t *shape)
{
    Py_ssize_t whole[MOST_AXES] = {count}, axes[MOST_AXES] = {0};
    Spec many = *spec;
    many.ndim++;
    many.flags &= ~F_CONTIGUOUS;
    for (int axis = 0; axis < spec->ndim; axis++) {
        int place = is_fortran(spec) ? spec->ndim - 1 - axis : axis;
        whole[place + 1] = shape[axis];
        axes[axis + 1] = place + 1;
    }
    PyObject *made = new_zeros(state, &many, whole);
    if (made == NULL || !is_fortran(spec)) {
        return made;
    }
    struct {
        Py_ssize_t *axes;
        int count;
    } order = {axes, many.ndim};
    PyObject *(*transpose)(PyObject *, void *) = (PyObject * (*)(PyObject *, void *)) state->api[API_TRANSPOSE];
    PyObject *turned = transpose(made, &order);
    Py_DECREF(made);
    return turned;
}

static void
own_items(const Spec *spec, PyObject *object, Array *item, Lane *lane)
{
    own_array(spec, object, item);
    item->shape++;
    item->strides++;
    *lane = (Lane){item->data, item_bytes(item)};
}

static void
copy_items(const Lane *to, const Lane *from, Py_ssize_t count)
{
    for (Py_ssize_t item = 0; item < count; item++) {
        memcpy(to->data + item * to->step, from->data + item * from->step, (size_t)to->step);
    }
}

/* A number that has to be the same for all items. */
static int
check_shared(const Lane *lane, const char *message)
{
    if (lane->step != 0) {
        PyErr_SetString(PyExc_ValueError, message);
        return -1;
    }
    return 0;
}

static int
check_count(const char *function, Py_ssize_t count)
{
    if (count < 0) {
        PyErr_Format(PyExc_TypeError, "%s(): no argument has a leading axis for the items of the batch", function);
        return -1;
    }
    return 0;
}
