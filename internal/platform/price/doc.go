// Package price computes what a month costs at list prices, item by item, on each of the
// vendors' plans.
//
// It knows quantities, and prices.json, which is all that has to change when a vendor's
// prices do. It must not know how quantities were counted. It reads nothing at start-up,
// because functions that take scores link it.
package price
