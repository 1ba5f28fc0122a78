/* Arguments that are numbers, and how a call's arguments are sorted and its results packed. */

/* Is it a number, or an array of one, with an imaginary part, which a conversion would drop? */
static bool
is_complex(const State *state, PyObject *object)
{
    if (PyObject_TypeCheck(object, (PyTypeObject *)state->api[API_ARRAY_TYPE])) {
        int number = ((const ArrayObject *)object)->descr->type_number;
        return number >= COMPLEX64 && number <= CLONGDOUBLE;
    }
    return PyComplex_Check(object) || PyObject_TypeCheck(object, (PyTypeObject *)state->api[API_COMPLEX_TYPE]);
}

static int
take_double(const State *state, const char *function, const char *name, PyObject *object, double *result)
{
    if (!PyFloat_Check(object) && is_complex(state, object)) {
        return wrong_type(function, name, "a real number", object);
    }
    *result = PyFloat_AsDouble(object);
    if (*result == -1.0 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            return wrong_type(function, name, "a real number", object);
        }
        if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_OverflowError, "%s(): argument '%s' does not fit a real number", function, name);
        }
        return -1;
    }
    return 0;
}

static int
take_complex(const char *function, const char *name, PyObject *object, double parts[2])
{
    /* Text can be converted to a complex number, but is none. */
    PyObject *number = PyUnicode_Check(object) ? NULL : PyObject_CallFunctionObjArgs((PyObject *)&PyComplex_Type, object, NULL);
    if (number == NULL) {
        if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_OverflowError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_OverflowError, "%s(): argument '%s' does not fit a complex number", function, name);
            return -1;
        }
        if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError)) {
            return -1;
        }
        PyErr_Clear();
        return wrong_type(function, name, "a number", object);
    }
    parts[0] = PyComplex_RealAsDouble(number);
    parts[1] = PyComplex_ImagAsDouble(number);
    Py_DECREF(number);
    return 0;
}

static int
take_integer(const char *function, const char *name, const char *dtype, PyObject *object, long long low, long long high,
             long long *result)
{
    PyObject *number = PyNumber_Index(object);
    if (number == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            return wrong_type(function, name, "an integer", object);
        }
        return -1;
    }
    int overflow = 0;
    *result = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow != 0 || *result < low || *result > high) {
        PyErr_Format(PyExc_OverflowError, "%s(): argument '%s' does not fit %s: %S", function, name, dtype, number);
        Py_DECREF(number);
        return -1;
    }
    Py_DECREF(number);
    return *result == -1 && PyErr_Occurred() ? -1 : 0;
}

/* A length that the user gives although a shape gives it, too, and whether it fits the function's argument. */
static int
check_length(const char *function, const char *name, const char *dtype, PyObject *object, Py_ssize_t length, long long high)
{
    if (object != NULL && object != Py_None) {
        long long given;
        if (take_integer(function, name, dtype, object, 0, high, &given) < 0) {
            return -1;
        }
        if (given != length) {
            PyErr_Format(PyExc_ValueError, "%s(): argument '%s' is %lld, but the arrays say %zd", function, name, given, length);
            return -1;
        }
    }
    if (length > high) {
        PyErr_Format(PyExc_OverflowError, "%s(): the length '%s' does not fit %s: %zd", function, name, dtype, length);
        return -1;
    }
    return 0;
}

static int
bind_keyword(const char *function, const char *const *names, int count, PyObject *keyword, PyObject *value, PyObject **given)
{
    for (int index = 0; index < count; index++) {
        if (PyUnicode_CompareWithASCIIString(keyword, names[index]) == 0) {
            if (given[index] != NULL) {
                PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%s'", function, names[index]);
                return -1;
            }
            given[index] = value;
            return 0;
        }
    }
    PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", function, keyword);
    return -1;
}

/* Sort the arguments of a vector call into `given` (borrowed), in the order of `names`; absent optional ones stay NULL. */
static int
bind_arguments(const char *function, const char *const *names, int count, int positional, int required, PyObject *const *args,
               Py_ssize_t nargs, PyObject *keywords, PyObject **given)
{
    if (nargs > positional) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %d positional argument%s (%zd given)", function, positional,
                     positional == 1 ? "" : "s", nargs);
        return -1;
    }
    for (Py_ssize_t index = 0; index < nargs; index++) {
        given[index] = args[index];
    }
    Py_ssize_t extra = keywords == NULL ? 0 : PyTuple_Size(keywords);
    for (Py_ssize_t index = 0; index < extra; index++) {
        PyObject *keyword = PyTuple_GetItem(keywords, index);
        if (bind_keyword(function, names, count, keyword, args[nargs + index], given) < 0) {
            return -1;
        }
    }
    for (int index = 0; index < required; index++) {
        if (given[index] == NULL) {
            PyErr_Format(PyExc_TypeError, "%s() missing required argument '%s' (pos %d)", function, names[index], index + 1);
            return -1;
        }
    }
    return 0;
}

/* The tuple of buffers given as `out=`: one entry for each adjoint, None where we make the value. */
static int
take_out(const char *function, PyObject *object, int count, PyObject **entries)
{
    if (object == NULL || object == Py_None) {
        return 0;
    }
    if (!PyTuple_Check(object)) {
        return wrong_type(function, "out", "a tuple", object);
    }
    if (PyTuple_Size(object) != count) {
        PyErr_Format(PyExc_ValueError, "%s(): argument 'out' must have %d entries, got %zd", function, count,
                     PyTuple_Size(object));
        return -1;
    }
    for (int index = 0; index < count; index++) {
        PyObject *entry = PyTuple_GetItem(object, index);
        entries[index] = entry == Py_None ? NULL : entry;
    }
    return 0;
}

static int
refuse_out(const char *function, const char *name, PyObject *entry)
{
    if (entry != NULL) {
        PyErr_Format(PyExc_TypeError, "%s(): the entry of 'out' for '%s' must be None: a number is returned", function, name);
        return -1;
    }
    return 0;
}

/* A tuple of `count` new references; takes them all, also on failure. */
static PyObject *
pack(int count, PyObject **items)
{
    PyObject *tuple = PyTuple_New(count);
    for (int index = 0; index < count; index++) {
        if (tuple == NULL || items[index] == NULL) {
            Py_CLEAR(tuple);
        }
        if (tuple != NULL) {
            PyTuple_SetItem(tuple, index, items[index]);
        }
        else {
            Py_XDECREF(items[index]);
        }
    }
    return tuple;
}
