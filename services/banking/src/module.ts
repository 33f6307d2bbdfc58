import { mailBy, mailServer } from '@icosa/delivery/mail-settings'
import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { settings } from './settings.ts'

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  async create({ smtpUrl, mailFrom, ...values }, { baseUrl, developmentDirectory }) {
    const { banking } = await import('./index.ts')
    const mail = mailBy({ smtpUrl, mailFrom }, developmentDirectory)
    return banking({ ...values, mail, publicUrl: `${baseUrl}/banking` })
  },
  needs: [mailServer('mails events to users; in development mode they are files in the data folder')],
  gaps: () => import('./unsupported.ts'),
  commands: { bank: async () => (await import('./commands/bank.ts')).bank },
}
