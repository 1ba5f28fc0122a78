// check: array n=4 stopped=-O2-fno-inline
// Values as of JSON: maps and vectors of themselves, moved through memory that the optimiser begins at odd addresses.
use std::collections::BTreeMap;

#[derive(Clone)]
enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Array(Vec<Value>),
    Object(BTreeMap<u32, Value>),
}
use Value::*;

fn weigh(value: &Value) -> f64 {
    match value {
        Null => 0.0,
        Bool(b) => f64::from(*b) + 0.5,
        Number(v) => v * v,
        Array(a) => a.iter().map(weigh).sum(),
        Object(o) => o.iter().map(|(k, v)| f64::from(*k) * weigh(v)).sum(),
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut object = BTreeMap::new();
    object.insert(1, Number(x[0]));
    object.insert(2, Array(vec![Number(x[1]), Null, Bool(true)]));
    let value = Array(vec![Object(object), Number(x[2]), Number(x[3])]);
    let copy = value.clone();
    weigh(&value) * weigh(&copy)
}
