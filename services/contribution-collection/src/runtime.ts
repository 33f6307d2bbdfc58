import { type Sending, startSending } from '@icosa/delivery'
import { type Deliver, deliverBy } from '@icosa/delivery/mail'
import type { OnStop, Platform } from '@icosa/kernel'
import { ensureSigningKeys } from '@icosa/tokens'
import { type Guesses, openGuesses } from './access/guesses.ts'
import { cells } from './geo/cells-store.ts'
import type { Geography } from './geo/geography.ts'
import { hasPostgis, postgis } from './geo/postgis-store.ts'
import { type MediaRuntime, openMedia } from './media/runtime.ts'
import type { ContributionSettings } from './settings.ts'

export interface ServiceRuntime extends Sending, MediaRuntime {
  readonly publicUrl: string
  readonly geography: Geography
  readonly guesses: Guesses
  readonly deliverMail: Deliver
  /** Webhook for channels by name. */
  readonly chatUrl: string | undefined
}

export const startWith =
  (settings: ContributionSettings) =>
  async (platform: Platform, onStop: OnStop): Promise<ServiceRuntime> => {
    const { database, clock, cellVault } = platform
    const { publicUrl, mail, chatUrl } = settings
    // This service issues tokens, too, and the identity service may not be running.
    await ensureSigningKeys(database, clock, cellVault)
    return {
      publicUrl,
      geography: (await hasPostgis(database)) ? postgis : cells,
      guesses: openGuesses(platform),
      deliverMail: deliverBy(mail, platform.traces),
      chatUrl,
      ...openMedia(settings, platform, onStop),
      ...startSending(platform, onStop),
    }
  }
