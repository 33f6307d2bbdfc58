export { appendTo, auditKeyPurpose } from './audit.ts'
export type { AuditRecord, AuditRow, Head, Problem } from './chain.ts'
export { heads, newest, rowsAfter } from './store.ts'
export { type Verified, verifyAudit } from './verify.ts'
