/**
 * Parts of node:util. To import that module is enough to make Node 24 warn on the standard error output
 * when NO_COLOR and FORCE_COLOR are both set; which of them counts is for us to decide, and decided.
 */
export const { getSystemErrorMap, inspect } = process.getBuiltinModule('node:util');
