import type { Attempt } from './attempt.ts'
import { onFiles } from './attempts-files.ts'
import { onLimits } from './attempts-limits.ts'
import { onProcesses } from './attempts-processes.ts'
import { onSockets } from './attempts-sockets.ts'

export const attempts: readonly Attempt[] = [...onFiles, ...onProcesses, ...onSockets, ...onLimits]
