import type { Gaps } from '@icosa/module'

export const unsupported = {
  ipAddressPlace: {
    name: '`ipAddressPlace` in `via`',
    answer: 'never',
    instead: 'IP addresses are not geolocated. Moderators see `ipAddress`.',
  },
  subscriptionsBody: {
    name: 'creating by `GET /subscriptions` with a body',
    answer: 'no effect',
    instead: '`POST /subscriptions` creates subscriptions, GET lists them.',
  },
  clientSecret: {
    name: '`client_secret` at the token endpoint',
    answer: 'no effect',
    instead: 'The client name is recorded. Only the user name and the password authenticate a request.',
  },
  signUp: {
    name: 'self-service sign-up, also through another site',
    answer: 'differs',
    instead: 'Platform keys create users (`POST /users`) and link their profiles on other sites.',
  },
  ownActions: {
    name: 'custom moderation states and actions',
    answer: 400,
    instead: 'There are four: approve, reject, escalate and reset.',
  },
  chats: {
    name: '`slackChannel` as a channel name, unless the operator has configured a chat',
    answer: 400,
    instead: 'Send the URL of an incoming webhook, or set ICOSA_CONTRIBUTIONS_CHAT_URL.',
  },
} as const satisfies Gaps
