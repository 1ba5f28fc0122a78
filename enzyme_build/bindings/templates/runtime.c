/* What every generated module shares: NumPy's arrays, how they lie, messages.
 *
 * Only the part of NumPy's binary interface that 1.x and 2.x have in common is used, so no NumPy header is needed to
 * build and one file serves both: the head of the array object, the head of its dtype, two entries of the API table. */

typedef struct {
    PyObject_HEAD
    PyTypeObject *typeobj;
    char kind, type, byteorder, flags;
    int type_number;
} ArrayDescr;

typedef struct {
    PyObject_HEAD
    char *data;
    int ndim;
    Py_ssize_t *shape;
    Py_ssize_t *strides;
    PyObject *base;
    ArrayDescr *descr;
    int flags;
} ArrayObject;

enum { API_VERSION = 0, API_ARRAY_TYPE = 2, API_COMPLEX_TYPE = 17, API_DESCR_FROM_TYPE = 45, API_COPY_INTO = 50, API_TRANSPOSE = 123, API_ZEROS = 183 };
enum { C_CONTIGUOUS = 0x0001, F_CONTIGUOUS = 0x0002, ALIGNED = 0x0100, WRITEABLE = 0x0400 };
enum { COMPLEX64 = 14, CLONGDOUBLE = 16 }; /* complex128 lies between */
enum { ABI_1 = 0x01000009, ABI_2 = 0x02000000 };

typedef struct {
    PyObject *capsule; /* keeps the table below alive */
    void **api;
} State;

/* What is expected of an array argument. */
typedef struct {
    const char *name;
    const char *dtype;
    const char *shape;
    int number, alternate;
    int itemsize;
    int ndim;
    int flags;
    unsigned strided; /* a bit for each axis whose stride the function takes */
} Spec;

typedef struct {
    const Spec *spec;
    PyObject *object;
    char *data;
    const Py_ssize_t *shape;
    const Py_ssize_t *strides;
} Array;

static int
load_numpy(State *state)
{
    PyObject *core = PyImport_ImportModule("numpy._core._multiarray_umath");
    if (core == NULL && PyErr_ExceptionMatches(PyExc_ModuleNotFoundError)) {
        PyErr_Clear();
        core = PyImport_ImportModule("numpy.core._multiarray_umath");
    }
    if (core == NULL) {
        return -1;
    }
    state->capsule = PyObject_GetAttrString(core, "_ARRAY_API");
    Py_DECREF(core);
    if (state->capsule == NULL) {
        return -1;
    }
    state->api = PyCapsule_GetPointer(state->capsule, NULL);
    if (state->api == NULL) {
        return -1;
    }
    unsigned version = ((unsigned (*)(void))state->api[API_VERSION])();
    if (version != ABI_1 && version != ABI_2) {
        PyErr_Format(PyExc_ImportError, "this module knows the binary interface of NumPy 1 and 2, but found 0x%x", version);
        return -1;
    }
    return 0;
}

/* A length that divides by zero is no length. */
static inline Py_ssize_t
quotient(Py_ssize_t a, Py_ssize_t b)
{
    return b == 0 ? -1 : a / b;
}

static size_t
array_bytes(const Array *array)
{
    size_t bytes = (size_t)array->spec->itemsize;
    for (int axis = 0; axis < array->spec->ndim; axis++) {
        bytes *= (size_t)array->shape[axis];
    }
    return bytes;
}

static PyObject *
new_zeros(const State *state, const Spec *spec, const Py_ssize_t *shape)
{
    for (int axis = 0; axis < spec->ndim; axis++) {
        if (shape[axis] < 0) {
            PyErr_Format(PyExc_ValueError, "'%s' of shape %s would have the negative length %zd", spec->name, spec->shape,
                         shape[axis]);
            return NULL;
        }
    }
    PyObject *descr = ((PyObject *(*)(int))state->api[API_DESCR_FROM_TYPE])(spec->number);
    if (descr == NULL) {
        return NULL;
    }
    PyObject *(*zeros)(int, const Py_ssize_t *, PyObject *, int) =
        (PyObject *(*)(int, const Py_ssize_t *, PyObject *, int))state->api[API_ZEROS];
    return zeros(spec->ndim, shape, descr, spec->flags & F_CONTIGUOUS ? 1 : 0);
}

/* A dense array with the numbers of another one, whose strides may be any. */
static PyObject *
new_copy(const State *state, const Spec *spec, const Array *original)
{
    PyObject *copy = new_zeros(state, spec, original->shape);
    int (*copy_into)(PyObject *, PyObject *) = (int (*)(PyObject *, PyObject *))state->api[API_COPY_INTO];
    if (copy != NULL && copy_into(copy, original->object) < 0) {
        Py_CLEAR(copy);
    }
    return copy;
}

/* The array itself, if it is dense already. */
static PyObject *
dense(const State *state, const Spec *spec, const Array *given)
{
    int order = spec->flags & (C_CONTIGUOUS | F_CONTIGUOUS);
    bool is_dense = (((const ArrayObject *)given->object)->flags & order) == order;
    return is_dense ? Py_NewRef(given->object) : new_copy(state, spec, given);
}

static PyObject *
shape_tuple(int ndim, const Py_ssize_t *shape)
{
    PyObject *tuple = PyTuple_New(ndim);
    for (int axis = 0; tuple != NULL && axis < ndim; axis++) {
        PyObject *length = PyLong_FromSsize_t(shape[axis]);
        if (length == NULL) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SetItem(tuple, axis, length);
    }
    return tuple;
}

static int
wrong_shape(const char *function, const Spec *spec, int ndim, const Py_ssize_t *shape, const Py_ssize_t *expected)
{
    PyObject *got = shape_tuple(ndim, shape);
    PyObject *want = expected ? shape_tuple(spec->ndim, expected) : NULL;
    if (got != NULL && want != NULL) {
        PyErr_Format(PyExc_ValueError, "%s(): argument '%s' must have shape %s = %R, got %R", function, spec->name, spec->shape,
                     want, got);
    }
    else if (got != NULL && !PyErr_Occurred()) {
        PyErr_Format(PyExc_ValueError, "%s(): argument '%s' must have shape %s, got %R", function, spec->name, spec->shape, got);
    }
    Py_XDECREF(got);
    Py_XDECREF(want);
    return -1;
}

static PyObject *
type_name(PyObject *object)
{
    return PyType_GetQualName(Py_TYPE(object));
}

static int
wrong_type(const char *function, const char *name, const char *expected, PyObject *object)
{
    PyObject *got = type_name(object);
    if (got != NULL) {
        PyErr_Format(PyExc_TypeError, "%s(): argument '%s' must be %s, not %U", function, name, expected, got);
        Py_DECREF(got);
    }
    return -1;
}

/* The axis that is the `rank`-th from the fastest. */
static int
axis_of(const Spec *spec, int rank)
{
    return spec->flags & F_CONTIGUOUS ? rank : spec->ndim - 1 - rank;
}

/* How many elements lie from one index of an axis to the next; of an axis with one index it is as if it were dense. */
static Py_ssize_t
step_of(const Array *array, int axis)
{
    Py_ssize_t inside = 1;
    for (int rank = 0;; rank++) {
        int other = axis_of(array->spec, rank);
        bool chosen = array->spec->strided >> other & 1 && array->shape[other] > 1;
        Py_ssize_t step = chosen ? array->strides[other] / array->spec->itemsize : inside;
        if (other == axis) {
            return step;
        }
        inside = step * (array->shape[other] > 1 ? array->shape[other] : 1);
    }
}

/* Do different indices of an array lie apart, that is: is each stride beyond all that smaller ones reach? */
static bool
elements_apart(const Array *array)
{
    for (int axis = 0; axis < array->spec->ndim; axis++) {
        Py_ssize_t reach = array->spec->itemsize, stride = array->strides[axis];
        for (int other = 0; other < array->spec->ndim; other++) {
            bool smaller = array->strides[other] < stride || (array->strides[other] == stride && other < axis);
            if (smaller && array->shape[other] > 1) {
                reach += (array->shape[other] - 1) * array->strides[other];
            }
        }
        if (array->shape[axis] > 1 && stride < reach) {
            return false;
        }
    }
    return true;
}

static int
check_steps(const char *function, const Array *array)
{
    const Spec *spec = array->spec;
    const char *remedy = spec->flags & F_CONTIGUOUS ? "asfortranarray" : "ascontiguousarray";
    for (int axis = 0; axis < spec->ndim; axis++) {
        if (array->shape[axis] <= 1) {
            continue;
        }
        bool chosen = spec->strided >> axis & 1;
        if (chosen && (array->strides[axis] <= 0 || array->strides[axis] % spec->itemsize != 0)) {
            PyErr_Format(PyExc_ValueError,
                         "%s(): argument '%s' has a stride of %zd bytes along axis %d; it must be a positive multiple of %d; "
                         "numpy.%s makes a copy that is dense",
                         function, spec->name, array->strides[axis], axis, spec->itemsize, remedy);
            return -1;
        }
        if (!chosen && array->strides[axis] != step_of(array, axis) * spec->itemsize) {
            PyErr_Format(PyExc_ValueError, "%s(): argument '%s' must be dense along axis %d; numpy.%s makes a copy that is",
                         function, spec->name, axis, remedy);
            return -1;
        }
    }
    if (!elements_apart(array)) {
        PyErr_Format(PyExc_ValueError, "%s(): elements of argument '%s' share memory; numpy.array makes a copy where none do",
                     function, spec->name);
        return -1;
    }
    return 0;
}

/* The array behind `object`, without a copy, if it is exactly what the function takes. */
static int
take_array(const State *state, const char *function, const Spec *spec, PyObject *object, Array *result)
{
    if (!PyObject_TypeCheck(object, (PyTypeObject *)state->api[API_ARRAY_TYPE])) {
        PyObject *got = type_name(object);
        if (got != NULL) {
            PyErr_Format(PyExc_TypeError, "%s(): argument '%s' must be a numpy.ndarray of %s with shape %s, not %U", function,
                         spec->name, spec->dtype, spec->shape, got);
            Py_DECREF(got);
        }
        return -1;
    }
    const ArrayObject *array = (const ArrayObject *)object;
    int number = array->descr->type_number;
    if (number != spec->number && number != spec->alternate) {
        PyErr_Format(PyExc_TypeError, "%s(): argument '%s' must have dtype %s, not %S; convert it with .astype(numpy.%s)",
                     function, spec->name, spec->dtype, (PyObject *)array->descr, spec->dtype);
        return -1;
    }
    if (array->descr->byteorder == (PY_LITTLE_ENDIAN ? '>' : '<')) {
        PyErr_Format(PyExc_TypeError, "%s(): argument '%s' must have native byte order; convert it with .astype(numpy.%s)",
                     function, spec->name, spec->dtype);
        return -1;
    }
    if (array->ndim != spec->ndim) {
        return wrong_shape(function, spec, array->ndim, array->shape, NULL);
    }
    int missing = spec->flags & ~array->flags;
    *result = (Array){spec, object, array->data, array->shape, array->strides};
    if (spec->strided != 0) {
        if (check_steps(function, result) < 0) {
            return -1;
        }
    }
    else if (missing & (C_CONTIGUOUS | F_CONTIGUOUS)) {
        const char *order = spec->flags & F_CONTIGUOUS ? "Fortran" : "C";
        const char *remedy = spec->flags & F_CONTIGUOUS ? "asfortranarray" : "ascontiguousarray";
        PyErr_Format(PyExc_ValueError, "%s(): argument '%s' must be contiguous in %s order; numpy.%s makes a copy that is",
                     function, spec->name, order, remedy);
        return -1;
    }
    if (missing & ALIGNED) {
        PyErr_Format(PyExc_ValueError, "%s(): argument '%s' must be aligned; numpy.array makes a copy that is", function,
                     spec->name);
        return -1;
    }
    if (missing & WRITEABLE) {
        PyErr_Format(PyExc_ValueError, "%s(): argument '%s' is written to, but the array is read-only", function, spec->name);
        return -1;
    }
    return 0;
}

static void
own_array(const Spec *spec, PyObject *object, Array *result)
{
    const ArrayObject *array = (const ArrayObject *)object;
    *result = (Array){spec, object, array->data, array->shape, array->strides};
}

static int
check_shape(const char *function, const Array *array, const Py_ssize_t *expected)
{
    for (int axis = 0; axis < array->spec->ndim; axis++) {
        if (array->shape[axis] != expected[axis]) {
            return wrong_shape(function, array->spec, array->spec->ndim, array->shape, expected);
        }
    }
    return 0;
}

/* The length in `scale * length + offset == shape[axis]`. */
static int
solve_length(const char *function, const Array *array, int axis, Py_ssize_t scale, Py_ssize_t offset, Py_ssize_t *length)
{
    Py_ssize_t rest = array->shape[axis] - offset;
    if (rest < 0 || rest % scale != 0) {
        return wrong_shape(function, array->spec, array->spec->ndim, array->shape, NULL);
    }
    *length = rest / scale;
    return 0;
}

/* The bytes from the first element to the end of the last one. */
static Py_ssize_t
span(const Array *array)
{
    Py_ssize_t bytes = array->spec->itemsize;
    for (int axis = 0; axis < array->spec->ndim; axis++) {
        if (array->shape[axis] == 0) {
            return 0;
        }
        bytes += (array->shape[axis] - 1) * array->strides[axis];
    }
    return bytes;
}

/* The bytes of the innermost axes that lie without a gap; `period` becomes the greatest common divisor of itself and the
 * strides of the others. */
static Py_ssize_t
row_bytes(const Array *array, Py_ssize_t *period)
{
    Py_ssize_t bytes = array->spec->itemsize;
    bool gap = false;
    for (int rank = 0; rank < array->spec->ndim; rank++) {
        int axis = axis_of(array->spec, rank);
        Py_ssize_t stride = array->strides[axis];
        if (array->shape[axis] <= 1) {
            continue;
        }
        gap = gap || stride != bytes;
        if (!gap) {
            bytes *= array->shape[axis];
            continue;
        }
        while (stride != 0) {
            Py_ssize_t rest = *period % stride;
            *period = stride;
            stride = rest;
        }
    }
    return bytes;
}

static int
check_apart(const char *function, const Array *written, const Array *other)
{
    if (written->data >= other->data + span(other) || other->data >= written->data + span(written)) {
        return 0;
    }
    Py_ssize_t period = 0;
    Py_ssize_t own = row_bytes(written, &period), others = row_bytes(other, &period);
    if (period > 0) { /* columns of one matrix may lie between each other */
        Py_ssize_t distance = ((other->data - written->data) % period + period) % period;
        if (distance >= own && distance + others <= period) {
            return 0;
        }
    }
    PyErr_Format(PyExc_ValueError, "%s(): '%s' is written to and must not share memory with '%s'", function, written->spec->name,
                 other->spec->name);
    return -1;
}

/* A stride that the layout of an array gives; of several arrays it has to be the same. */
static int
join_stride(const char *function, const char *name, const Array *array, int axis, Py_ssize_t *stride, const char **owner)
{
    if (array->shape[axis] <= 1 && *owner != NULL) {
        return 0;
    }
    Py_ssize_t step = step_of(array, axis);
    if (*owner != NULL && *stride != step) {
        PyErr_Format(PyExc_ValueError, "%s(): argument '%s' is the stride of '%s' and '%s', which is %zd of one and %zd of the other",
                     function, name, *owner, array->spec->name, *stride, step);
        return -1;
    }
    *stride = step;
    *owner = array->shape[axis] <= 1 ? NULL : array->spec->name;
    return 0;
}
