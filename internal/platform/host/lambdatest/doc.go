// Package lambdatest runs a built bootstrap as Lambda would: it serves the Lambda
// runtime API on a loopback port, starts the program against it, hands it events
// one by one and collects the answers. Tests, the start-up benchmark and
// cmd/invoke drive the very files that are deployed.
//
// It knows the runtime API
// (https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html), as much of the
// extensions API as a function needs to be warned before its end, and processes.
// It must not know what an event or an answer means, and it does not import the
// package it tests.
package lambdatest
