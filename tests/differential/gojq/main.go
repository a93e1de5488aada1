// gojq's side of the differential test: reads pairs, writes the outcome of each, in the form that
// tests/differential/main.cc describes.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/itchyny/gojq"
)

const maxResults = 1000

type pair struct {
	Program string `json:"program"`
	Input   any    `json:"input"`
}

type outcome struct {
	Results []json.RawMessage `json:"results"`
	At      string            `json:"at,omitempty"`
	Error   string            `json:"error,omitempty"`
}

func (o *outcome) fail(at string, err any) {
	o.At, o.Error = at, fmt.Sprint(err)
}

func run(p pair) (o outcome) {
	o.Results = []json.RawMessage{}
	defer func() {
		if fault := recover(); fault != nil {
			o.fail("crash", fault)
		}
	}()
	query, err := gojq.Parse(p.Program)
	if err != nil {
		o.fail("compile", err)
		return
	}
	code, err := gojq.Compile(query)
	if err != nil {
		o.fail("compile", err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	results := code.RunWithContext(ctx, p.Input)
	for {
		value, ok := results.Next()
		if !ok {
			return
		}
		if err, ok := value.(error); ok {
			if ctx.Err() != nil {
				o.fail("limit", err)
			} else {
				o.fail("run", err)
			}
			return
		}
		if len(o.Results) == maxResults {
			o.fail("limit", "too many results")
			return
		}
		text, err := gojq.Marshal(value)
		if err != nil {
			o.fail("crash", err)
			return
		}
		o.Results = append(o.Results, bytes.Clone(text))
	}
}

func main() {
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	in.UseNumber()
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		var p pair
		if err := in.Decode(&p); err == io.EOF {
			return
		} else if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		if err := encoder.Encode(run(p)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
}
