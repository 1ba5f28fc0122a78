pub struct Model {
    sites: Vec<f64>,
    name: String,
}

#[no_mangle]
pub unsafe extern "C" fn model_new(x: *const f64, n: usize) -> *mut Model {
    let sites = std::slice::from_raw_parts(x, n).iter().scan(0.0, |at, v| { *at += v; Some(*at) }).collect();
    Box::into_raw(Box::new(Model { sites, name: "chain".to_string() }))
}

type Potential = extern "C" fn(*const u8, f64) -> f64;

#[no_mangle]
pub unsafe extern "C" fn model_run(m: *const Model, potential: Potential, object: *const u8) -> f64 {
    let model = &*m;
    let pairs = model.sites.iter().zip(model.sites.iter().skip(1));
    pairs.map(|(a, b)| potential(object, b - a)).sum::<f64>() + model.sites[0] * model.name.len() as f64
}

#[no_mangle]
pub unsafe extern "C" fn model_drop(m: *mut Model) {
    drop(Box::from_raw(m));
}
