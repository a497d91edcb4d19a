// Package playersync reads the users and organization memberships of a Clerk
// instance and hands them to package roster: for apps that have users already,
// since webhooks tell of changes alone.
//
// It knows Clerk's Backend API, its pages and its rate limits, and how to go on
// after a cut. It must not know Redis, nor what a profile or a group is kept as.
//
// https://clerk.com/docs/reference/backend-api
package playersync
