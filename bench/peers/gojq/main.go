// Compiles and runs programs with github.com/itchyny/gojq: a peer of the workload `expr`.
// bench/macro/expr_cases.cc says what the arguments are, what is measured and what is printed.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/itchyny/gojq"
)

type item struct {
	Program string
	Input   *string

	input  any
	code   *gojq.Code
	answer answer
}

type answer struct {
	results []any
	failure *string
}

type report struct {
	cpu     *float64
	answers []answer
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: gojq FILE compile|run SECONDS")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2] == "compile", os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "gojq:", err)
		os.Exit(1)
	}
}

func run(file string, onlyCompile bool, duration string) error {
	seconds, err := strconv.ParseFloat(duration, 64)
	if err != nil {
		return err
	}
	cases, err := load(file)
	if err != nil {
		return err
	}
	out := report{cpu: measure(cases, onlyCompile, seconds)}
	for i := range cases {
		out.answers = append(out.answers, cases[i].answer)
	}
	text, err := gojq.Marshal(out.plain())
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(append(text, '\n'))
	return err
}

// plain is the report in types that gojq writes; encoding/json knows none of its numbers.
func (r report) plain() any {
	var time any
	if r.cpu != nil {
		time = *r.cpu
	}
	answers := []any{}
	for _, given := range r.answers {
		var failure any
		if given.failure != nil {
			failure = *given.failure
		}
		answers = append(answers, map[string]any{"results": given.results, "error": failure})
	}
	return map[string]any{"cpu_ns": time, "answers": answers}
}

func load(file string) ([]item, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var content struct {
		Inputs map[string]any
		Cases  []item
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&content); err != nil {
		return nil, err
	}
	for name, input := range content.Inputs {
		content.Inputs[name] = withNumbers(input)
	}
	for i := range content.Cases {
		if name := content.Cases[i].Input; name != nil {
			content.Cases[i].input = content.Inputs[*name]
		}
		content.Cases[i].answer.results = []any{}
	}
	return content.Cases, nil
}

// withNumbers gives numbers the types that gojq computes with.
func withNumbers(value any) any {
	switch value := value.(type) {
	case json.Number:
		if whole, err := strconv.Atoi(string(value)); err == nil {
			return whole
		}
		double, _ := value.Float64()
		return double
	case []any:
		for i := range value {
			value[i] = withNumbers(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = withNumbers(value[key])
		}
	}
	return value
}

func (c *item) fail(text string) {
	c.answer.failure = &text
}

func compileAll(cases []item) {
	for i := range cases {
		c := &cases[i]
		query, err := gojq.Parse(c.Program)
		if err == nil {
			c.code, err = gojq.Compile(query)
		}
		if err != nil {
			c.fail("compile: " + err.Error())
		}
	}
}

// measure is nil when a program fails.
func measure(cases []item, onlyCompile bool, seconds float64) *float64 {
	compileAll(cases)
	first, fails := 0.0, false
	for i := range cases {
		if !onlyCompile {
			first += cases[i].giveAnswer()
		}
		fails = fails || cases[i].answer.failure != nil
	}
	if fails {
		return nil
	}
	mean := repeat(first, seconds, func() {
		if onlyCompile {
			compileAll(cases)
			return
		}
		for i := range cases {
			results := cases[i].code.Run(cases[i].input)
			for _, more := results.Next(); more; _, more = results.Next() {
			}
		}
	})
	return &mean
}

// giveAnswer keeps the results and says how long they took.
func (c *item) giveAnswer() float64 {
	if c.code == nil {
		return 0
	}
	start := processCPU()
	results := c.code.Run(c.input)
	for value, more := results.Next(); more; value, more = results.Next() {
		if err, failed := value.(error); failed {
			c.fail(err.Error())
			break
		}
		c.answer.results = append(c.answer.results, value)
	}
	return float64(processCPU() - start)
}

func repeat(first, seconds float64, once func()) float64 {
	limit := time.Duration(seconds * float64(time.Second))
	if first > float64(limit) {
		return first
	}
	times, start := 0, processCPU()
	for processCPU()-start < limit {
		once()
		times++
	}
	return float64(processCPU()-start) / float64(times)
}

// processCPU counts all threads: the garbage collector works on others.
func processCPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
