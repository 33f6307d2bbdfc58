import type { Resource } from '@icosa/kernel'
import { access } from './access/handlers.ts'
import { accounts } from './accounts/handlers.ts'
import { allocations } from './allocations/handlers.ts'
import { attachments } from './attachments/handlers.ts'
import { cards } from './cards/handlers.ts'
import { categories } from './categories/handlers.ts'
import { codes } from './codes/handlers.ts'
import { credentials } from './credentials/handlers.ts'
import { drafts } from './drafts/handlers.ts'
import { funds } from './funds/handlers.ts'
import { invoices } from './invoices/handlers.ts'
import { notes } from './notes/handlers.ts'
import { notifications } from './notifications/handlers.ts'
import { oauth } from './oauth/handlers.ts'
import { payments } from './payments/handlers.ts'
import { replacements } from './replacements/handlers.ts'
import { requests } from './requests/handlers.ts'
import type { ServiceRuntime } from './runtime.ts'
import { schedules } from './schedules/handlers.ts'
import { shares } from './shares/handlers.ts'
import { statements } from './statements/handlers.ts'
import { tabs } from './tabs/handlers.ts'
import { topUps } from './topups/handlers.ts'
import { users } from './users/handlers.ts'

export const resources: Readonly<Record<string, Resource<ServiceRuntime>>> = {
  access,
  users,
  accounts,
  payments,
  requests,
  drafts,
  schedules,
  allocations,
  shares,
  cards,
  topUps,
  replacements,
  funds,
  credentials,
  codes,
  tabs,
  attachments,
  categories,
  oauth,
  notifications,
  statements,
  invoices,
  notes,
}
