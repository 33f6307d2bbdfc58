export { appendTo, auditKeyPurpose } from './audit.ts'
export type { AuditRecord, AuditRow, Head, KeptEnd, Problem } from './chain.ts'
export { heads, inHex, newest, rowsAfter } from './store.ts'
export { type Verified, verifyAudit } from './verify.ts'
