export { appendTo, auditKeyPurpose } from './audit.ts'
export { type AuditRecord, type AuditRow, type Head, type KeptEnd, operatorService, type Problem } from './chain.ts'
export { heads, inHex, newest, rowsAfter } from './store.ts'
export { type Verified, verifyAudit } from './verify.ts'
