import type { contentCalls } from "#contract/calls/content.ts";
import type { inquiryCalls } from "#contract/calls/inquiries.ts";
import type { pageCalls } from "#contract/calls/pages.ts";
import type { siteCalls } from "#contract/calls/site.ts";
import type { ExamplesOf } from "./example.ts";
import { REFERENCE } from "./exchange.ts";
import { EMAIL } from "./people.ts";

type SiteCall = keyof typeof contentCalls | keyof typeof inquiryCalls | keyof typeof pageCalls | keyof typeof siteCalls;

export const siteExamples: ExamplesOf<SiteCall> = {
  health: { answer: { status: "OK" } },
  healthz: { answer: { status: "OK" } },
  stats: {
    answer: {
      ordersTotal: 12_840,
      orders24h: 214,
      medianSeconds: 412,
      completedShare: 0.99,
      coins: 38,
      networks: 21,
    },
  },
  seoTexts: {
    body: { params: { page: "exchange", locale: "en" } },
    answer: {
      "seo.exchange.title": "Exchange {{from}} to {{to}}",
      "seo.exchange.description": "Exchange {{from}} to {{to}} without an account.",
      "seo.exchange.openGraph": '{"title":"{{from}} to {{to}}","description":"Exchange without an account."}',
      "seo.exchange.twitter": '{"title":"{{from}} to {{to}}","description":"Exchange without an account."}',
    },
  },
  redirects: { answer: [{ from: "/old-blog", to: "/blog", status: 301 }] },

  content: {
    params: { section: "docs", locale: "en" },
    query: { category: "exchanging", offset: "0", per_page: "20" },
    answer: {
      items: [
        {
          slug: "refunds",
          title: "Refunds",
          description: "When you can get a deposit back, where it goes, and what it costs.",
          category: "exchanging",
          tags: ["refunds", "orders"],
          author: "Wherry",
          publishedAt: "2026-11-24",
          updatedAt: "2026-11-27",
          minutes: 2,
          cover: null,
        },
      ],
      total: 1,
      categories: [{ slug: "exchanging", title: "Exchanging", count: 1 }],
    },
  },
  searchIndex: {
    params: { section: "docs", locale: "en" },
    answer: { index: '{"documentCount":1,"nextId":1,"documentIds":{"0":"refunds#where-it-goes"},"index":[]}' },
  },
  page: {
    params: { locale: "en", name: "support" },
    answer: {
      title: "Support",
      description: "How to reach us.",
      updatedAt: "2026-11-24",
      html: "<p>Have the reference of your order at hand.</p>",
      sections: [
        {
          id: "questions",
          title: "Questions",
          html: "",
          questions: [
            {
              id: "where-is-my-payout",
              title: "Where is my payout?",
              html: "<p>The order page shows its transaction.</p>",
              text: "The order page shows its transaction.",
            },
          ],
        },
      ],
      operator: {
        company: { name: "Wherry Example Ltd", registration: null, address: null },
        email: "support@wherry.example",
        links: [{ label: "Telegram", url: "https://t.me/wherry_example" }],
      },
      hasForms: true,
      rating: null,
    },
  },

  contact: {
    body: {
      email: EMAIL,
      reference: REFERENCE,
      message: "My deposit has its confirmations. When is the payout?",
      locale: "en",
    },
    answer: { reference: "4D7K-Q2MX" },
  },
  authorityRequest: {
    body: {
      authority: "Central Cybercrime Unit",
      officer: "Ann Lund",
      email: "a.lund@police.example",
      message: "Please preserve what you hold about the order 3HYB-BSWY.",
      locale: "en",
      file: new File(["a document"], "request.pdf", { type: "application/pdf" }),
    },
    answer: { reference: "4D7K-Q2MX" },
  },
};
