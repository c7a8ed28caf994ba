import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Empty } from '../../kit/empty.tsx'
import { KIT_TEXTS } from '../../kit/kit-texts.ts'
import { businessPath, PathLink } from '../../kit/links.tsx'
import { useMe } from '../../kit/me.ts'
import { Page } from '../../kit/page.tsx'
import { useTexts } from '../../kit/texts.ts'
import { BusinessForm } from './business-form.tsx'
import { FirstFactor } from './first-factor.tsx'
import { TEXTS } from './texts/texts.ts'

/**
 * The businesses of the person. A single one opens at once; if there are none, a person with the right creates the
 * first.
 */
export default function BusinessesPage() {
  const t = useTexts(TEXTS)
  const kit = useTexts(KIT_TEXTS)
  const { businesses, environment, must_add_second_factor: mustAdd, may_create_business: mayCreate } = useMe()
  const navigate = useNavigate()
  const only = businesses.length === 1 && !mustAdd ? businesses[0]?.id : undefined
  useEffect(() => {
    if (only) void navigate({ to: businessPath(only, 'home'), replace: true })
  }, [only, navigate])
  if (only) return null
  if (mustAdd) {
    return (
      <Page title={t.factorStep}>
        <p>{t.mustAddFactor}</p>
        <FirstFactor isOptional={false} onDone={() => location.reload()} />
      </Page>
    )
  }
  if (businesses.length === 0 && mayCreate) {
    return (
      <Page title={t.businessStep}>
        <BusinessForm onDone={(id) => location.assign(businessPath(id, 'home'))} />
      </Page>
    )
  }
  return (
    <Page title={t.businesses}>
      {businesses.length === 0 && <Empty kind="nothing" title={t.noBusinesses} text={t.noBusinessesText} />}
      <ul className="plain-list">
        {businesses.map(({ id, name, role }) => (
          <li key={id} className="card">
            <PathLink to={businessPath(id, 'home')}>{name}</PathLink>
            <div className="dimmed">
              {kit[`role_${role}`]} · {t[environment]}
            </div>
          </li>
        ))}
      </ul>
    </Page>
  )
}
