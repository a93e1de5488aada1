// The Go implementation of jq that is a peer of the workload expr, in the version that is compared with.
module wmap.dev/bench/peers/gojq

go 1.26.3

require github.com/itchyny/gojq v0.12.20

require github.com/itchyny/timefmt-go v0.1.9 // indirect
