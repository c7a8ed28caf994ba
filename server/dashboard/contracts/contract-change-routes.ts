import { ContractLink } from '../../../contract/dashboard/contracts-api.ts'
import type { LetterLimit } from '../../events/letter-limit.ts'
import type { Route } from '../../http/route.ts'
import {
  type ContractServices,
  linkContract,
  sendContract,
  voidContract,
} from '../../subscriptions/contracts/change-contract.ts'
import { sendContractLetter } from '../../subscriptions/contracts/send-contract-letter.ts'
import { conflict } from '../../subscriptions/subscription.ts'
import type { SubscriptionLink } from '../../subscriptions/subscription-link.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { readContract } from './contract-object.ts'

export interface LinkedServices extends ContractServices {
  subscriptionLink: SubscriptionLink
  letterLimit: LetterLimit
}

const PERMISSION = { permission: 'contracts.write' } as const

/** Returns the routes that change a contract. A signed contract does not change (DSH-18). */
export function changeRoutes(dashboard: DashboardRoutes, services: LinkedServices): Route[] {
  return [
    linkRoute(dashboard, services),
    ...sendRoutes(dashboard, services),
    showLinkRoute(dashboard, services),
    voidRoute(dashboard, services),
  ]
}

function linkRoute(dashboard: DashboardRoutes, services: LinkedServices): Route {
  return dashboard.write('POST /contracts/{id}/link', {
    ...PERMISSION,
    action: 'contract.link',
    body: ContractLink,
    async handle({ member: { business }, params, body }, tx) {
      const [inside, id] = [{ ...services, db: tx }, params.id ?? '']
      const { subscription: before } = await readContract(inside, business.id, id)
      await linkContract(inside, { business, id, subscriptionId: body.subscription })
      return {
        body: await readContract(inside, business.id, id),
        audit: {
          object: { type: 'contract', id },
          before: { subscription: before },
          after: { subscription: body.subscription },
        },
      }
    },
  })
}

function sendRoutes(dashboard: DashboardRoutes, services: LinkedServices): Route[] {
  return [
    dashboard.write('POST /contracts/{id}/send', {
      ...PERMISSION,
      action: 'contract.send',
      async handle({ member: { business }, params }, tx) {
        const [inside, which] = [
          { ...services, db: tx },
          { business, id: params.id ?? '' },
        ]
        const { status, title } = await sendContract(inside, which)
        const letterTo = await sendContractLetter(inside, which)
        return {
          body: {
            ...(await readContract(inside, business.id, which.id)),
            url: services.subscriptionLink({ businessId: business.id, id: which.id }),
            letter_to: letterTo,
          },
          audit: {
            object: { type: 'contract', id: which.id },
            before: { status: 'draft' },
            after: { status, title, letter: letterTo !== null },
          },
        }
      },
    }),
    dashboard.write('POST /contracts/{id}/resend', {
      ...PERMISSION,
      action: 'contract.resend',
      async handle({ member: { business }, params }, tx) {
        const [inside, id] = [{ ...services, db: tx }, params.id ?? '']
        const contract = await readContract(inside, business.id, id)
        const letterTo = await sendContractLetter(inside, { business, id })
        if (letterTo === null) throw conflict('The customer has no e-mail address. Give them the link yourself.')
        return {
          body: { ...contract, url: services.subscriptionLink({ businessId: business.id, id }), letter_to: letterTo },
          audit: { object: { type: 'contract', id }, after: { letter: true } },
        }
      },
    }),
  ]
}

function showLinkRoute(dashboard: DashboardRoutes, { subscriptionLink }: LinkedServices): Route {
  return dashboard.write('POST /contracts/{id}/show_link', {
    ...PERMISSION,
    action: 'contract.show_link',
    async handle({ member: { business }, params: { id = '' } }, tx) {
      const { status } = await readContract({ db: tx }, business.id, id)
      if (status !== 'sent') throw conflict(`The contract is ${status}. Only one that was sent is signed.`)
      const url = subscriptionLink({ businessId: business.id, id })
      return { body: { object: 'link' as const, url }, audit: { object: { type: 'contract', id } } }
    },
  })
}

function voidRoute(dashboard: DashboardRoutes, services: LinkedServices): Route {
  return dashboard.write('POST /contracts/{id}/void', {
    ...PERMISSION,
    action: 'contract.void',
    async handle({ member: { business }, params }, tx) {
      const [inside, id] = [{ ...services, db: tx }, params.id ?? '']
      const { status: before } = await readContract(inside, business.id, id)
      if (before === 'signed') throw conflict('The contract is signed. It does not change any more.')
      const { status, title } = await voidContract(inside, { business, id })
      return {
        body: await readContract(inside, business.id, id),
        audit: { object: { type: 'contract', id }, before: { status: before }, after: { status, title } },
      }
    },
  })
}
