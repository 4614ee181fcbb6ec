-- Changes of operators that the security log has not got yet. A trigger adds them, so that no command can forget to.
create table unwritten_actions (
  action_id bigint primary key references operator_actions (id)
);
create function note_operator_action() returns trigger language plpgsql as $$
begin
  insert into unwritten_actions (action_id) values (new.id);
  return null;
end $$;
create trigger operator_actions_unwritten after insert on operator_actions for each row execute function note_operator_action();
