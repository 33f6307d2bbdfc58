import type { Resource } from '@icosa/kernel'
import { access } from './access/handlers.ts'
import { assignments } from './assignments/handlers.ts'
import { contributions } from './contributions/handlers.ts'
import { exportsOf } from './exports/handlers.ts'
import { forms } from './forms/handlers.ts'
import { information } from './information/handlers.ts'
import { media } from './media/handlers.ts'
import type { ServiceRuntime } from './runtime.ts'
import { search } from './search/handlers.ts'
import { subscriptions } from './subscriptions/handlers.ts'
import { tags } from './tags/handlers.ts'
import { users } from './users/handlers.ts'

export const resources: Readonly<Record<string, Resource<ServiceRuntime>>> = {
  assignments,
  contributions,
  search,
  tags,
  forms,
  media,
  exports: exportsOf,
  subscriptions,
  users,
  access,
  information,
}
