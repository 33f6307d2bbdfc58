import type { Command as AnyCommand, Arguments as Said } from '@icosa/module'
import type { Config } from './config.ts'

interface Given {
  readonly config: Config
}

/** A command of the platform itself; those of services are beside them. */
export type Command = AnyCommand<Given>

export type Arguments = Said & Given
