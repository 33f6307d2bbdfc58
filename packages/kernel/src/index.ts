export { assert } from './assert.ts'
export {
  type Credentials,
  createKey,
  createSigningSecret,
  credentialById,
  credentials,
  developmentSigningId,
  type IssuedKey,
  type IssuedSigningSecret,
  listCredentials,
  replaceDevelopmentKey,
  revokeCredential,
  type SigningSecret,
} from './auth/credentials.ts'
export { isInOperation, takeIntoOperation } from './auth/operated.ts'
export { isForOperators, isPattern, operatorService, permissionsOf } from './auth/permissions.ts'
export { findTag, tagOf, tagOfKey, tagOfSigningId, tagPattern } from './auth/tags.ts'
export { type OpenTokens, type Tokens, type TokensOptions, tenantSubject } from './auth/tokens.ts'
export {
  type CellVault,
  type Keys,
  type OpenVault,
  type SealedColumn,
  sealedColumnsOf,
  sealingContext,
  tenantKeys,
  type Vault,
} from './auth/vault.ts'
export {
  type BlobEntry,
  type BlobInfo,
  type BlobState,
  type Blobs,
  type ByteRange,
  blobEntries,
  blobFile,
  blobPrefix,
  type OpenBlobs,
  type OpenBlobsOptions,
  type OwnBlobs,
  ownBlobs,
  type PageOptions,
  type SignedUrlOptions,
} from './blobs.ts'
export { type Clock, machineClock } from './clock/clock.ts'
export { clockSkewMs, correct as correctSystemClock, syncClock, systemClock } from './clock/system.ts'
export { type ClockMove, isClockFrozen, moveClock, virtualClock } from './clock/virtual.ts'
export { AnonymousCaller, anonymous, type Caller, type Context, type ReadingContext } from './context.ts'
export { assertCommitted } from './db/commit.ts'
export { DirectConnectionNeeded } from './db/connection/listen.ts'
export { DatabaseUnavailable, isOutage } from './db/connection/unavailable.ts'
export {
  type Database,
  type Db,
  empty,
  join,
  openDatabase,
  type ReadingDb,
  raw,
  type Sql,
  sql,
  varying,
} from './db/db.ts'
export { type State as MoveState, setTenantState } from './db/fence/moves.ts'
export {
  concurrentStatements,
  isConcurrent,
  isExpanding,
  type Migration,
  readMigrations,
  schemaOf,
} from './db/migration/files.ts'
export { MigrationBlocked, migrate, migrationLimits } from './db/migration/migrate.ts'
export { dropDatabase, lockName } from './db/named.ts'
export { decodeToken, encodeToken, type Page, type PageRequest, readPage } from './db/page.ts'
export type { ReserveName } from './db/reservation.ts'
export { checkStorable, isStorable } from './db/storable.ts'
export { completeBefore, transactionOrder } from './db/transaction-order.ts'
export type { Authentication, DialectServer, Incoming, Outgoing } from './dialect.ts'
export { type Detail, Failure, invalid, isRefusal, type Kind, NoOperation, notFound, Outage } from './errors.ts'
export type { FaultInjector, InjectedFault } from './fault-injection.ts'
export type { GuardedFetch, OpenFetch, OutboundRequest, OutboundResponse } from './fetch.ts'
export { type FormPart, formParts } from './http/body/parts.ts'
export { type Conditions, demandConditions, isUnchanged } from './http/conditions.ts'
export { refuseAmbiguity } from './http/connection/framing.ts'
export { networkOf } from './http/connection/network.ts'
export type { TlsKeys } from './http/connection/one-port.ts'
export { type Admission, addressKey } from './http/gates.ts'
export { type Lacking, serveMetrics } from './http/health.ts'
export { closed } from './http/input/fields.ts'
export { paramsReader } from './http/input/params.ts'
export { lazyValidator } from './http/input/validate.ts'
export type { ObservedExchange, ObservedMessage, RequestObserver } from './http/observe.ts'
export { rateLimiter } from './http/rate-limit.ts'
export { replyChecker } from './http/reply/check.ts'
export { asFailure } from './http/reply/failures.ts'
export { type FileSource, fileOfBytes, type Range } from './http/reply/file.ts'
export { openFile, sendStreamed } from './http/reply/streamed.ts'
export type { RequestHead, TagIn } from './http/residence.ts'
export {
  type NamePurpose,
  type TenantRule,
  type TenantSource,
  tagPrefixOf,
  tagPrefixSource,
} from './http/route/tenant-source.ts'
export {
  type AnyPrepared,
  accepted,
  created,
  Engine,
  file,
  type Handler,
  type Handlers,
  implement,
  Media,
  media,
  noContent,
  notModified,
  ok,
  type Preparation,
  Prepared,
  type Resource,
  type WholeMedia,
  withPreparation,
} from './implement.ts'
export { type AnyJob, type Job, type JobContext, type JobsOf, job, type NewJob, type Work } from './jobs/jobs.ts'
export { type OperationState, type OperationStatus, type OperationsOf, operationsIn } from './jobs/operations.ts'
export { type BoundJobs, jobsIn, openQueue } from './jobs/queue.ts'
export { transactionOf } from './jobs/transaction.ts'
export type { WorkerOptions } from './jobs/worker.ts'
export { batcher } from './memory/batcher.ts'
export { cacheFigures } from './memory/cache-figures.ts'
export { type ExpiringCache, expiringCache } from './memory/expiring-cache.ts'
export { recentlyUsed } from './memory/recently-used.ts'
export { writeBehind } from './memory/write-behind.ts'
export { migrationsOf, type NodeOptions, prepareDatabase, type RunningNode, startNode } from './node.ts'
export { contractsOf, operationsOfApi, operationsOfService, type ServiceOperation } from './operations.ts'
export type { BlobUse, KeysInUse } from './orphans.ts'
export type { NodeFacts, Platform, SubscriptionRule, UnmetNeed } from './platform.ts'
export type { AccessLog } from './ports/access-log.ts'
export type {
  Backup,
  BoundBackup,
  ContinuousBackup,
  DueBackup,
  RestoreMetadata,
  RestoreRequest,
  RestoreWindow,
} from './ports/backups.ts'
export {
  type PlatformEvent,
  publish,
  type ReceivedEvent,
  receiveEventsJob,
  subscribedTenants,
  takeEvents,
} from './ports/events.ts'
export type { KeyHolder, KeyUse } from './ports/keys.ts'
export {
  type MoveEnd,
  type MoveEnds,
  type MoveObstacles,
  type Moves,
  movesBy,
  type OutsideMove,
} from './ports/moves.ts'
export {
  asLimit,
  type ResourceEntry,
  type ResourcesOf,
  registered,
  resourcesIn,
} from './ports/resources.ts'
export { privateFile, privateFolder } from './private-files.ts'
export {
  type Aging,
  type AgingTable,
  agingTables,
  type KeepDays,
  kernelRetention,
  prepare,
  pruning,
  type Retention,
} from './retention.ts'
export {
  type Api,
  type Exchange,
  type OnStop,
  type RouteHost,
  type Service,
  serviceWithRuntime,
  strictService,
} from './service.ts'
export { every } from './sharing/every.ts'
export { fairQuota, usedPerFree } from './sharing/fair-quota.ts'
export { type FairSemaphore, fairSemaphore } from './sharing/fair-semaphore.ts'
export { type Semaphore, semaphore, semaphorePerKey } from './sharing/semaphore.ts'
export type { Log, Logger, RequestLine } from './telemetry/log.ts'
export type { EndedSpan, Labelled, Metrics, OpenTelemetry, Part, Span, Trace, Traces } from './telemetry/telemetry.ts'
