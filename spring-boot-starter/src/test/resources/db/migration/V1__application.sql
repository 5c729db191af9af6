create table application_data (id int primary key);
