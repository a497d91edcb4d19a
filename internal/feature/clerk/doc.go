// [Sync] reads the users and organization memberships of a Clerk instance. Apps that have users already need it: webhooks report changes
// only.
//
// It knows Clerk's Backend API, its pages and its rate limits, and how to continue after a run
// was cut off. It does not know Redis, nor how a profile or a group is kept.
//
// https://clerk.com/docs/reference/backend-api

package clerk
