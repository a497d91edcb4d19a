// Package template reads the project's AWS SAM template: which functions there
// are, on which routes and schedules, and with what environment. The local host
// mounts what it finds here, so that local and deployed cannot drift, and tests
// hold the template against the code.
//
// It knows the parts of SAM and CloudFormation that the project uses, intrinsic
// functions in their short form among them, but computes none of them except a
// reference to a parameter's default. It must not know what any function does.
package template
