//! Compiles and runs programs with jaq: a peer of the workload `expr`. bench/macro/expr_cases.cc
//! says what the arguments are, what is measured and what is printed.
use jaq_core::load::{parse, Arena, File, Loader};
use jaq_core::{compile, data, unwrap_valr, Compiler, Ctx, Vars};
use jaq_json::{read, Val};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Data = data::JustLut<Val>;
type Filter = compile::Filter<jaq_core::Native<Data>>;

struct Case {
    program: String,
    input: Val,
    filter: Option<Filter>,
    results: Vec<Val>,
    error: Option<String>,
}

fn cpu_ns() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a valid clock and a valid place for the time.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut now) };
    now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
}

fn get(object: &Val, key: &Val) -> Val {
    match object {
        Val::Obj(members) => members.get(key).cloned().unwrap_or_default(),
        _ => Val::Null,
    }
}

fn key(name: &str) -> Val {
    Val::from(name.to_owned())
}

fn load(file: &str) -> Vec<Case> {
    let text = std::fs::read(file).expect("the file can be read");
    let content = read::parse_single(&text).expect("the file is JSON");
    let inputs = get(&content, &key("inputs"));
    let Val::Arr(cases) = get(&content, &key("cases")) else { panic!("no cases") };
    let case = |item: &Val| {
        let Val::TStr(program) = get(item, &key("program")) else { panic!("no program") };
        Case {
            program: String::from_utf8(program.to_vec()).expect("UTF-8"),
            input: get(&inputs, &get(item, &key("input"))),
            filter: None,
            results: Vec::new(),
            error: None,
        }
    };
    cases.iter().map(case).collect()
}

/// What jaq does not have, as jq defines it.
const MORE: &str = "def IN(s): any(s == .; .);";

fn compile(program: &str) -> Result<Filter, String> {
    let more = parse(MORE, |parser| parser.defs()).expect("the definitions are right");
    let defs = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs()).chain(more);
    let funs = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
    let arena = Arena::default();
    let file = File { code: program, path: () };
    let modules = Loader::new(defs).load(&arena, file).map_err(|e| format!("compile: {e:?}"))?;
    Compiler::default()
        .with_funs(funs)
        .compile(modules)
        .map_err(|e| format!("compile: {e:?}"))
}

fn compile_all(cases: &mut [Case]) {
    for case in cases {
        match compile(&case.program) {
            Ok(filter) => case.filter = Some(filter),
            Err(error) => case.error = Some(error),
        }
    }
}

/// Keeps the results and says how long they took.
fn answer(case: &mut Case) -> f64 {
    let Some(filter) = &case.filter else { return 0.0 };
    let start = cpu_ns();
    let ctx = Ctx::<Data>::new(&filter.lut, Vars::new([]));
    for result in filter.id.run((ctx, case.input.clone())).map(unwrap_valr) {
        match result {
            Ok(value) => case.results.push(value),
            Err(error) => {
                case.error = Some(error.to_string());
                break;
            }
        }
    }
    cpu_ns() - start
}

fn run(case: &Case) -> usize {
    let filter = case.filter.as_ref().expect("it was compiled");
    let ctx = Ctx::<Data>::new(&filter.lut, Vars::new([]));
    filter.id.run((ctx, case.input.clone())).count()
}

fn repeat(first: f64, seconds: f64, mut once: impl FnMut()) -> f64 {
    let limit = seconds * 1e9;
    if first > limit {
        return first;
    }
    let (mut times, mut passed, start) = (0, 0.0, cpu_ns());
    while passed < limit {
        once();
        times += 1;
        passed = cpu_ns() - start;
    }
    passed / f64::from(times)
}

/// Nothing when a program fails.
fn measure(cases: &mut [Case], only_compile: bool, seconds: f64) -> Option<f64> {
    compile_all(cases);
    let first = if only_compile { 0.0 } else { cases.iter_mut().map(answer).sum() };
    if cases.iter().any(|case| case.error.is_some()) {
        return None;
    }
    Some(repeat(first, seconds, || {
        if only_compile {
            compile_all(cases);
        } else {
            std::hint::black_box(cases.iter().map(run).sum::<usize>());
        }
    }))
}

fn joined<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    items.iter().map(text).collect::<Vec<_>>().join(",")
}

fn work() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, file, mode, seconds] = &arguments[..] else {
        panic!("usage: jaq FILE compile|run SECONDS");
    };
    let seconds: f64 = seconds.parse().expect("SECONDS is a number");
    let mut cases = load(file);
    let time = measure(&mut cases, mode == "compile", seconds);
    let time = time.map_or("null".into(), |ns| ns.to_string());
    let answers = joined(&cases, |case| {
        let error = case.error.as_ref().map_or(Val::Null, |text| key(text));
        format!("{{\"results\":[{}],\"error\":{error}}}", joined(&case.results, Val::to_string))
    });
    println!("{{\"cpu_ns\":{time},\"answers\":[{answers}]}}");
}

fn main() {
    // Programs recurse on the stack, deeper than a thread has by default.
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(work);
    thread.expect("a thread").join().expect("no panic");
}
