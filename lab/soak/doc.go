// Package soak plays weeks and months of a whole game against a product that
// runs in this process, with everything that goes wrong in such a time, and
// holds every board against a plain model in memory.
//
// It knows the HTTP API, the local product's controls, and how boards must
// come out of plays. It must not know how the product computes or keeps
// them: of the product's packages it takes the game's description, its
// calendar and its signatures, and writes encodings, ranks and aggregates
// once more, as plainly as it can.
package soak
