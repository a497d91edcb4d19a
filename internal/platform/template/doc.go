// Package template reads the project's AWS SAM template: the functions with their routes,
// schedules and environment. The local host mounts what it finds here, so that local and
// deployed cannot differ, and tests compare the template with the code.
//
// It knows the parts of SAM and CloudFormation that the project uses, including intrinsic
// functions in their short form. Of these it evaluates only references to a parameter's
// default. It does not know what any function does.
package template
