import type { Command as AnyCommand, Arguments as Said } from '@icosa/module'
import type { Config } from './config.ts'

interface Given {
  readonly config: Config
}

/** A platform command; services define their own. */
export type Command = AnyCommand<Given>

export type Arguments = Said & Given
