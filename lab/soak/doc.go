// Package soak plays weeks and months of a whole game against a product that
// runs in this process, with everything that goes wrong in such a time, and
// holds every board against the plain model of package model.
//
// It knows the HTTP API, the local product's controls, and what goes wrong. It
// must not know how the product computes or keeps boards: of the product's
// packages it takes the game's description and its calendar.
package soak
