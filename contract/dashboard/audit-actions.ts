import type { Permission } from '../permissions.ts'

// Actions and objects of the audit log. Files and the API use these codes; the pages have a name for each of them.

/** Actions of people, the operator and the service: `<noun>.<verb>`. */
export const AUDIT_ACTIONS = [
  'account.update',
  'allowed_ip.add',
  'allowed_ip.remove',
  'api_key.create',
  'api_key.revoke',
  'api_key.rotate',
  'batch.settle',
  'branding.change',
  'business.create',
  'checkout_session.cancel',
  'checkout_session.create',
  'checkout_session.show_link',
  'contract.create',
  'contract.link',
  'contract.resend',
  'contract.send',
  'contract.show_link',
  'contract.void',
  'customer.create',
  'customer.request_card',
  'customer.revoke_card_links',
  'customer.update',
  'event.redeliver',
  'factors.reset',
  'google_pay_key.create',
  'google_pay_key.retire',
  'invitation.accept',
  'invitation.create',
  'invitation.decline',
  'invitation.withdraw',
  'letter.resend',
  'letter.show_link',
  'letter.test',
  'limits.change',
  'member.change_role',
  'member.leave',
  'member.remove',
  'oauth_client.create',
  'oauth_client.end_tokens',
  'oauth_client.revoke',
  'oauth_client.rotate_secret',
  'oauth_client.update',
  'operation.inquire',
  'ownership.transfer',
  'passkey.add',
  'passkey.refuse_copy',
  'passkey.remove',
  'passkey.rename',
  'password.change',
  'password.reset',
  'payment.refund',
  'payment.void',
  'payment_method.detach',
  'price.create',
  'price.update',
  'product.create',
  'product.update',
  'recovery_codes.renew',
  'sale.create',
  'saved_view.create',
  'saved_view.delete',
  'saved_view.update',
  'session.end',
  'session.end_others',
  'session.start',
  'session.step_up',
  'settings.change',
  'sign_in_link.create',
  'subscription.cancel',
  'subscription.cancel_at_period_end',
  'subscription.change_card',
  'subscription.create',
  'subscription.edit',
  'subscription.pause',
  'subscription.release',
  'subscription.resume',
  'subscription.retry',
  'subscription.send_link',
  'subscription.show_link',
  'subscription.undo_pause',
  'terminal.update',
  'test_clock.advance',
  'test_data.create',
  'totp.add',
  'totp.remove',
  'webhook_endpoint.create',
  'webhook_endpoint.delete',
  'webhook_endpoint.redeliver',
  'webhook_endpoint.rotate_secret',
  'webhook_endpoint.test',
  'webhook_endpoint.update',
] as const

/** Lists whose exports are recorded: the names of the files. */
export const EXPORTED_LISTS = [
  'audit',
  'batches',
  'checkout_sessions',
  'contracts',
  'customers',
  'events',
  'operations',
  'payments',
  'prices',
  'products',
  'refusals',
  'subscriptions',
  'webhook_deliveries',
] as const
export type ExportedList = (typeof EXPORTED_LISTS)[number]

/**
 * An export, or an action of the list above. A call refused for lack of a permission is recorded with the permission.
 */
export type AuditAction = (typeof AUDIT_ACTIONS)[number] | `${ExportedList}.export` | Permission

/** Noun of an action or an object. The last ones are objects that were not found, named as in their path. */
export type AuditNoun =
  | NounOf<(typeof AUDIT_ACTIONS)[number]>
  | 'user'
  | 'audit'
  | 'mailbox'
  | 'setting'
  | 'team'
  | 'view'
type NounOf<Action> = Action extends `${infer Noun}.${string}` ? Noun : never

/** Names of the audit log for which the pages have a text. */
export type AuditName = AuditAction | AuditNoun
