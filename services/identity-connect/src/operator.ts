/** What an operator does at a shell. */
export * from './approvals/operator.ts'
export * from './people/operator.ts'
