-- Each form has a limit of its own for everybody together.
alter table inquiries add column form text not null default 'contact' check (form in ('contact', 'authority'));
